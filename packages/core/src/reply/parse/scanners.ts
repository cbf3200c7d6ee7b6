import type { MarkerSet } from './marker-set.ts'

/** Hears what is on the first level of an object. */
export type ObjectListener = {
  /** A key is complete: is its value wanted, or is the object not what it was taken for? */
  key(key: string): 'wanted' | 'other' | 'stop'
  /** The next chunk of the wanted value. */
  value(text: string): void
  /** The wanted value is complete. Both positions count from the start of the object. */
  valueEnd(start: number, end: number): void
}

/**
 * - `more`: all of the text has been read.
 * - `end`: the value is complete.
 * - `marker`: a marker starts here.
 * - `partial`: a marker may start here.
 * - `stop`: the listener stopped the scan.
 */
export type ScanStatus = 'more' | 'end' | 'marker' | 'partial' | 'stop'

/** What scanners of strings and brackets share: where they are in all chunks together, and whether markers count in strings. */
export abstract class Scanner {
  status: ScanStatus = 'more'
  isInString = false
  /** Where the last string began. Positions count from where the scan began. */
  stringFrom = 0
  protected depth = 0
  protected readonly hidesMarkers: boolean
  /** Where the current text starts. */
  #base = 0
  #read = 0

  /** `hidesMarkers`: a marker inside a string is part of the string. */
  constructor(hidesMarkers: boolean) {
    this.hidesMarkers = hidesMarkers
  }

  /** Scans on from `from` and returns where it stopped; `status` says why. */
  scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    this.#base = this.#read - from
    this.status = 'more'
    let at = from
    while (at < text.length) {
      const marker = this.isInString && this.hidesMarkers ? undefined : markers.match(text, at, isFinal)
      if (marker !== undefined) {
        this.status = marker === 'partial' ? 'partial' : 'marker'
        break
      }
      at = this.step(text, at, isFinal)
      if (this.status !== 'more') break
    }
    this.#read += at - from
    return at
  }

  protected place(at: number): number {
    return this.#base + at
  }

  /** Reads the character at `at`, or more, and returns where to go on. */
  protected abstract step(text: string, at: number, isFinal: boolean): number
}

/**
 * Follows one JSON value from its opening bracket to its end, over any number of chunks. It only counts brackets and strings: whether
 * the value is JSON is decided when it is complete.
 */
export class ObjectScanner extends Scanner {
  /** What comes next on the first level. */
  #expect: 'key' | 'colon' | 'value' | 'comma' = 'key'
  #isEscaped = false
  #key: string | undefined
  #isWanted = false
  /** The value is a number or a word, which ends where something else starts. */
  #isScalar = false
  /** Where in the current text the wanted value continues, or -1. */
  #wantedFrom = -1
  #wantedStart = 0
  readonly #listener: ObjectListener

  constructor(hidesMarkers: boolean, listener: ObjectListener) {
    super(hidesMarkers)
    this.#listener = listener
  }

  override scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    this.#wantedFrom = this.#isWanted && this.#expect === 'comma' ? from : -1
    const at = super.scan(text, from, markers, isFinal)
    if (this.#wantedFrom >= 0 && at > this.#wantedFrom) this.#listener.value(text.slice(this.#wantedFrom, at))
    return at
  }

  protected step(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (this.isInString) this.#stepInString(text, at, code)
    else if (code === doubleQuote) this.#startString(at)
    else if (code === 0x7b || code === 0x5b) {
      if (this.depth === 1 && this.#expect === 'value') this.#startValue(at)
      this.depth++
    } else if (code === 0x7d || code === 0x5d) {
      if (this.#isScalar) this.#endValue(text, at)
      this.depth--
      if (this.depth === 1) this.#endValue(text, at + 1)
      else if (this.depth <= 0) this.status = 'end'
    } else if (this.depth === 1) this.#stepBetween(text, at, code)
    return at + 1
  }

  #stepInString(text: string, at: number, code: number): void {
    if (this.#key !== undefined) this.#key += text[at]
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === backslash) this.#isEscaped = true
    else if (code === doubleQuote) {
      this.isInString = false
      if (this.#key !== undefined) this.#endKey(this.#key)
      else if (this.depth === 1) this.#endValue(text, at + 1)
    }
  }

  #startString(at: number): void {
    this.isInString = true
    this.stringFrom = this.place(at)
    if (this.depth !== 1) return
    if (this.#expect === 'key') this.#key = '"'
    else if (this.#expect === 'value') this.#startValue(at)
  }

  /** What is on the first level besides strings and brackets. */
  #stepBetween(text: string, at: number, code: number): void {
    if (code === 0x3a) {
      if (this.#expect === 'colon') this.#expect = 'value'
    } else if (code === 0x2c || isSpace(code)) {
      if (this.#isScalar) this.#endValue(text, at)
      if (code === 0x2c) this.#expect = 'key'
    } else if (this.#expect === 'value') {
      this.#startValue(at)
      this.#isScalar = true
    }
  }

  #endKey(written: string): void {
    const key = parseString(written)
    this.#key = undefined
    this.#expect = 'colon'
    const answer = key === undefined ? 'other' : this.#listener.key(key)
    this.#isWanted = answer === 'wanted'
    if (answer === 'stop') this.status = 'stop'
  }

  #startValue(at: number): void {
    this.#expect = 'comma'
    if (!this.#isWanted) return
    this.#wantedFrom = at
    this.#wantedStart = this.place(at)
  }

  #endValue(text: string, end: number): void {
    this.#isScalar = false
    if (this.#wantedFrom < 0) return
    if (end > this.#wantedFrom) this.#listener.value(text.slice(this.#wantedFrom, end))
    this.#listener.valueEnd(this.#wantedStart, this.place(end))
    this.#isWanted = false
    this.#wantedFrom = -1
  }
}

/** The value of a JSON string; undefined for other values. Mistakes inside are found when the whole object is read. */
export function parseString(text: string): string | undefined {
  if (text.startsWith('"') && !text.includes('\\')) return text.slice(1, -1)
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Follows the arguments of a Python call from their opening parenthesis to the closing one. */
export class PythonScanner extends Scanner {
  /** The code of the quote that is open, or 0. */
  #quote = 0
  #isTriple = false
  #isEscaped = false
  /** Quotes in a row at the end of what was read in a triple string. */
  #run = 0
  /** An empty string has just ended: the same quote again makes it a triple one. */
  #emptied = 0

  protected step(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (this.isInString) {
      this.#stepInString(at, code)
      return at + 1
    }
    const isTriple = code === this.#emptied
    this.#emptied = 0
    if (code === doubleQuote || code === 0x27) {
      this.isInString = true
      this.#quote = code
      this.#isTriple = isTriple
      this.#isEscaped = false
      this.#run = 0
      if (!isTriple) this.stringFrom = this.place(at)
    } else if (code === 0x28 || code === 0x5b || code === 0x7b) this.depth++
    else if ((code === 0x29 || code === 0x5d || code === 0x7d) && --this.depth <= 0) this.status = 'end'
    return at + 1
  }

  #stepInString(at: number, code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code !== this.#quote) {
      this.#isEscaped = code === backslash
      this.#run = 0
    } else if (!this.#isTriple) {
      this.isInString = false
      this.#emptied = this.place(at) === this.stringFrom + 1 ? code : 0
    } else if (++this.#run === 3) this.isInString = false
  }
}

/** Follows arguments whose texts are enclosed in a mark, `{key:<|"|>text<|"|>}`, from the opening brace to the closing one. */
export class QuotedScanner extends Scanner {
  readonly #quote: string

  constructor(quote: string, hidesMarkers: boolean) {
    super(hidesMarkers)
    this.#quote = quote
  }

  protected step(text: string, at: number, isFinal: boolean): number {
    const quote = this.#quote
    const code = text.charCodeAt(at)
    if (code === quote.charCodeAt(0)) {
      if (text.startsWith(quote, at)) {
        if (!this.isInString) this.stringFrom = this.place(at)
        this.isInString = !this.isInString
        return at + quote.length
      }
      if (!isFinal && quote.startsWith(text.slice(at))) {
        this.status = 'partial'
        return at
      }
    }
    if (this.isInString) return at + 1
    if (code === 0x7b || code === 0x5b) this.depth++
    else if ((code === 0x7d || code === 0x5d) && --this.depth <= 0) this.status = 'end'
    return at + 1
  }
}

/** The white space of JSON. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

export function endOfSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

const doubleQuote = 0x22
const backslash = 0x5c
