import type { MarkerSet } from './marker-set.ts'

/** Hears what stands on the first level of an object. */
export type ObjectListener = {
  /** A key is complete; whether its value is wanted, or the object is not what it was taken for. */
  key(key: string): 'wanted' | 'other' | 'stop'
  /** The next stretch of the wanted value. */
  value(text: string): void
  /** It is complete: where it starts and ends, counted from the object's start. */
  valueEnd(start: number, end: number): void
}

/**
 * - `more`: the text is used up.
 * - `end`: the value is complete.
 * - `marker`: a marker stands here.
 * - `partial`: here may be the start of a marker.
 * - `stop`: the listener does not want to go on.
 */
export type ScanStatus = 'more' | 'end' | 'marker' | 'partial' | 'stop'

/**
 * Follows one JSON value from its opening bracket to its end, over any number of chunks, and looks at every character once.
 * It only counts brackets and strings: whether the value is JSON is decided when all of it is there.
 */
export class ObjectScanner {
  status: ScanStatus = 'more'
  /** Inside a string, where markers are ordinary text. */
  isInString = false
  /** How much had been read when the last string began. */
  stringFrom = 0
  /**
   * Whether JavaScript's own reader gives the value without loss, as far as could be seen in passing: no integer too large for
   * it, no float such as 1.0, no key that it would move. Where it is false, `parseJson` looks closely.
   */
  isPlain = true
  /** Digits in a row. */
  #digits = 0
  #read = 0
  #isStopped = false
  #isEscaped = false
  #depth = 0
  /** On the first level: what comes next. */
  #expect: 'key' | 'colon' | 'value' | 'comma' = 'key'
  #key: string | undefined
  #isWanted = false
  /** The value is a number or a word, which ends where something else starts. */
  #isScalar = false
  /** Where in the current text the wanted value goes on, or -1. */
  #wantedFrom = -1
  #wantedStart = 0
  /** Where the current text starts, counted from the object's start. */
  #base = 0
  readonly #hidesMarkers: boolean
  readonly #listener: ObjectListener | undefined

  constructor(hidesMarkers: boolean, listener?: ObjectListener) {
    this.#hidesMarkers = hidesMarkers
    this.#listener = listener
  }

  /** Reads on and hands back where it stopped; `status` says why. Markers inside strings are text, if it hides them. */
  scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const { length } = text
    let at = from
    let nextMarker = this.#hidesMarkers ? length : -1
    this.#base = this.#read - from
    this.#wantedFrom = this.#isWanted && this.#expect === 'comma' ? from : -1
    while (at < length) {
      if (this.isInString) {
        if (nextMarker < at) nextMarker = markers.find(text, at, isFinal) === 'none' ? length : markers.at
        if (nextMarker > at) {
          at = this.#passString(nextMarker === length ? text : text.slice(0, nextMarker), at)
          if (this.#isStopped) return this.#stop(text, from, at, 'stop')
          continue
        }
        return this.#stop(text, from, at, markers.match(text, at, isFinal) === 'found' ? 'marker' : 'partial')
      }
      if (this.#depth > 1 && this.#hidesMarkers) {
        at = this.#passNested(text, at, markers)
        if (at === length || this.isInString) continue
      }
      const code = text.charCodeAt(at)
      if (markers.startsWith(code)) {
        const found = markers.match(text, at, isFinal)
        if (found !== 'none') return this.#stop(text, from, at, found === 'found' ? 'marker' : 'partial')
      }
      if (code === quote) this.#startString(text, at)
      else if (code === openBrace || code === openBracket) {
        if (this.#depth++ === 1 && this.#expect === 'value') this.#startValue(at)
      } else if (code === closeBrace || code === closeBracket) {
        if (this.#isScalar) this.#endValue(text, at)
        this.#depth--
        if (this.#depth === 1) this.#endValue(text, at + 1)
        else if (this.#depth <= 0) return this.#stop(text, from, at + 1, 'end')
      } else {
        this.#noteNumber(text, at, code)
        if (this.#depth === 1) this.#readBetween(text, at, code)
      }
      at++
    }
    return this.#stop(text, from, at, 'more')
  }

  /** Notes numbers that JavaScript would change: `1.0`, `1e5`, `-0`, sixteen digits. What lies at the end of a chunk is suspect. */
  #noteNumber(text: string, at: number, code: number): void {
    if (code <= 0x39 && code >= 0x2d) {
      if (code === 0x2e || code === 0x2d) {
        const next = text.charCodeAt(at + 1)
        if (next === 0x30 || Number.isNaN(next)) this.isPlain = false
      }
      if (++this.#digits > 14) this.isPlain = false
      return
    }
    if ((code === 0x65 || code === 0x45) && this.#digits > 0) this.isPlain = false
    this.#digits = 0
  }

  /** Notes strings that, as keys, JavaScript would move or swallow: integers, `__proto__`. */
  #noteString(text: string, at: number): void {
    const first = text.charCodeAt(at)
    if ((first >= 0x30 && first <= 0x39) || first === 0x5f || Number.isNaN(first)) this.isPlain = false
  }

  /** What stands on the first level besides strings and brackets. */
  #readBetween(text: string, at: number, code: number): void {
    if (code === colon) {
      if (this.#expect === 'colon') this.#expect = 'value'
    } else if (code === comma) {
      if (this.#isScalar) this.#endValue(text, at)
      this.#expect = 'key'
    } else if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      if (this.#isScalar) this.#endValue(text, at)
    } else if (this.#expect === 'value') {
      this.#startValue(at)
      this.#isScalar = true
    }
  }

  /** Passes what stands below the first level, up to a character that must be looked at: the last bracket, or a marker's first. */
  #passNested(text: string, from: number, markers: MarkerSet<unknown>): number {
    const { length } = text
    let depth = this.#depth
    let at = from
    while (at < length) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        this.isInString = true
        this.stringFrom = this.#base + at
        this.#digits = 0
        this.#noteString(text, at + 1)
        at = this.#passString(text, at + 1)
        if (this.isInString) break
        continue
      }
      if (code === closeBrace || code === closeBracket) {
        if (depth === 2) break
        depth--
      } else if (markers.startsWith(code)) break
      else if (code === openBrace || code === openBracket) {
        if (++depth > plainDepth) this.isPlain = false
      } else this.#noteNumber(text, at, code)
      at++
    }
    this.#depth = depth
    return at
  }

  #startString(text: string, at: number): void {
    this.isInString = true
    this.stringFrom = this.#base + at
    this.#digits = 0
    this.#noteString(text, at + 1)
    if (this.#depth !== 1) return
    if (this.#expect === 'key') this.#key = '"'
    else if (this.#expect === 'value') this.#startValue(at)
  }

  /** Passes what is left of a string, its closing quote included. */
  #passString(text: string, from: number): number {
    const { length } = text
    let at = from
    if (this.#isEscaped) {
      this.#isEscaped = false
      at++
    }
    while (at < length) {
      const code = text.charCodeAt(at++)
      if (code === quote) {
        this.isInString = false
        break
      }
      if (code !== backslash) continue
      if (at === length) {
        this.#isEscaped = true
        this.isPlain = false
      } else if (text.charCodeAt(at++) === 0x75) this.isPlain = false
    }
    if (this.#key !== undefined) this.#key += text.slice(from, at)
    if (!this.isInString) {
      if (this.#key !== undefined) this.#endKey()
      else if (this.#depth === 1) this.#endValue(text, at)
    }
    return at
  }

  #endKey(): void {
    const key = readKey(this.#key!)
    this.#key = undefined
    this.#expect = 'colon'
    const answer = key === undefined ? 'other' : (this.#listener?.key(key) ?? 'other')
    this.#isWanted = answer === 'wanted'
    this.#isStopped = answer === 'stop'
  }

  #startValue(at: number): void {
    this.#expect = 'comma'
    if (!this.#isWanted) return
    this.#wantedFrom = at
    this.#wantedStart = this.#base + at
  }

  #endValue(text: string, end: number): void {
    this.#isScalar = false
    if (this.#wantedFrom < 0) return
    if (end > this.#wantedFrom) this.#listener?.value(text.slice(this.#wantedFrom, end))
    this.#listener?.valueEnd(this.#wantedStart, this.#base + end)
    this.#isWanted = false
    this.#wantedFrom = -1
  }

  #stop(text: string, from: number, at: number, status: ScanStatus): number {
    this.#read += at - from
    if (this.#wantedFrom >= 0 && at > this.#wantedFrom) this.#listener?.value(text.slice(this.#wantedFrom, at))
    this.status = status
    return at
  }
}

/** A key may be written with escapes. One that is no JSON string makes the whole object malformed, which is found later. */
function readKey(written: string): string | undefined {
  if (!written.includes('\\')) return written.slice(1, -1)
  try {
    return JSON.parse(written) as string
  } catch {
    return undefined
  }
}

/** Far below the depth that readers refuse. */
const plainDepth = 100

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
