import type { MarkerSet } from './marker-set.ts'

/**
 * - `more`: the text is used up.
 * - `end`: the parenthesis that opened the arguments is closed.
 * - `marker`: a marker stands here.
 * - `partial`: here may be the start of a marker.
 */
export type PythonStatus = 'more' | 'end' | 'marker' | 'partial'

/**
 * Follows the arguments of a Python call from their opening parenthesis to the closing one, over any number of chunks, and looks
 * at every character once. It only counts brackets and strings: whether it is Python is decided when all of it is there.
 */
export class PythonScanner {
  status: PythonStatus = 'more'
  /** Where the string that is open began, counted from the parenthesis. */
  stringFrom = 0
  #read = 0
  /** Where the current text starts. */
  #base = 0
  #depth = 0
  /** The code of the quote that is open, or 0. */
  #quote = 0
  #isTriple = false
  #isEscaped = false
  /** Quotes in a row at the end of what was read in a triple string. */
  #run = 0
  /** An empty string has just ended: the same quote again makes it a triple one. */
  #emptied = 0
  readonly #hidesMarkers: boolean

  constructor(hidesMarkers: boolean) {
    this.#hidesMarkers = hidesMarkers
  }

  get isInString(): boolean {
    return this.#quote !== 0
  }

  scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const { length } = text
    let at = from
    this.#base = this.#read - from
    while (at < length) {
      if (this.#quote !== 0) {
        const limit = this.#hidesMarkers ? length : this.#limit(text, at, markers, isFinal)
        if (limit === at) return this.#stop(from, at, markers.match(text, at, isFinal) === 'found' ? 'marker' : 'partial')
        at = this.#passString(text, at, limit)
        continue
      }
      const code = text.charCodeAt(at)
      if (this.#emptied !== 0 && code === this.#emptied) {
        this.#quote = code
        this.#isTriple = true
        this.#run = 0
        this.#emptied = 0
        at++
        continue
      }
      this.#emptied = 0
      if (markers.startsWith(code)) {
        const found = markers.match(text, at, isFinal)
        if (found !== 'none') return this.#stop(from, at, found === 'found' ? 'marker' : 'partial')
      }
      at++
      if (code === 0x22 || code === 0x27) {
        this.#quote = code
        this.#isTriple = false
        this.#isEscaped = false
        this.stringFrom = this.#base + at - 1
      } else if (code === 0x28 || code === 0x5b || code === 0x7b) this.#depth++
      else if (code === 0x29 || code === 0x5d || code === 0x7d) {
        if (--this.#depth <= 0) return this.#stop(from, at, 'end')
      }
    }
    return this.#stop(from, at, 'more')
  }

  /** Takes a piece inside a string that does not lead out of it, or a character between strings; false if there is more to it, and then nothing has been read. */
  takeInside(piece: string, markers: MarkerSet<unknown>): boolean {
    if (this.#quote === 0) return piece.length === 1 && this.#takeBetween(piece.charCodeAt(0), markers)
    if (!this.#hidesMarkers || this.#isEscaped || this.#run > 0) return false
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === this.#quote || code === 0x5c) return false
    }
    this.#read += piece.length
    return true
  }

  #takeBetween(code: number, markers: MarkerSet<unknown>): boolean {
    if (isQuoteOrBracket(code) || markers.startsWith(code)) return false
    this.#emptied = 0
    this.#read++
    return true
  }

  #limit(text: string, at: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    return markers.find(text, at, isFinal) === 'none' ? text.length : markers.at
  }

  #passString(text: string, from: number, limit: number): number {
    const quote = this.#quote
    const start = this.#run > 0 || this.#isEscaped ? undefined : nextQuote(text, from, limit, quote)
    let at = start ?? from
    while (at < limit) {
      const code = text.charCodeAt(at++)
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === 0x5c) {
        this.#isEscaped = true
        this.#run = 0
      } else if (code !== quote) this.#run = 0
      else if (!this.#isTriple) {
        this.#quote = 0
        this.#emptied = this.#base + at === this.stringFrom + 2 ? quote : 0
        return at
      } else if (++this.#run === 3) {
        this.#quote = 0
        this.#run = 0
        return at
      }
      if (this.#run === 0 && !this.#isEscaped && at < limit) at = nextQuote(text, at, limit, quote)
    }
    return at
  }

  #stop(from: number, at: number, status: PythonStatus): number {
    this.#read += at - from
    this.status = status
    return at
  }
}

/** The next quote or backslash; `limit` if there is none before it. */
export function nextQuote(text: string, from: number, limit: number, quote: number): number {
  const near = Math.min(limit, from + 12)
  let at = from
  for (; at < near; at++) {
    const code = text.charCodeAt(at)
    if (code === quote || code === 0x5c) return at
  }
  if (at >= limit) return limit
  const pattern = quote === 0x22 ? doubleOrBackslash : singleOrBackslash
  pattern.lastIndex = at
  return pattern.test(text) ? Math.min(limit, pattern.lastIndex - 1) : limit
}

const doubleOrBackslash = /["\\]/g
const singleOrBackslash = /['\\]/g

function isQuoteOrBracket(code: number): boolean {
  return code === 0x22 || (code >= 0x27 && code <= 0x29) || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d
}
