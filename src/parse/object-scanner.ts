import type { MarkerSet } from './marker-set.ts'

/** Hears what stands on the first level of an object. */
export type ObjectListener = {
  /** A key is complete; whether its value is wanted, or the object is not what it was taken for. */
  key(key: string): 'wanted' | 'other' | 'stop'
  /** The next stretch of the wanted value. */
  value(text: string): void
  valueEnd(): void
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
      const code = text.charCodeAt(at)
      if (markers.startsWith(code)) {
        const found = markers.match(text, at, isFinal)
        if (found !== 'none') return this.#stop(text, from, at, found === 'found' ? 'marker' : 'partial')
      }
      if (code === quote) this.#startString(at, this.#read + at - from)
      else if (code === openBrace || code === openBracket) {
        if (this.#depth++ === 1 && this.#expect === 'value') this.#startValue(at)
      } else if (code === closeBrace || code === closeBracket) {
        if (this.#isScalar) this.#endValue(text, at)
        this.#depth--
        if (this.#depth === 1) this.#endValue(text, at + 1)
        else if (this.#depth <= 0) return this.#stop(text, from, at + 1, 'end')
      } else if (this.#depth === 1) this.#readBetween(text, at, code)
      at++
    }
    return this.#stop(text, from, at, 'more')
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

  #startString(at: number, read: number): void {
    this.isInString = true
    this.stringFrom = read
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
      if (at < length) at++
      else this.#isEscaped = true
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
    if (this.#isWanted) this.#wantedFrom = at
  }

  #endValue(text: string, end: number): void {
    this.#isScalar = false
    if (this.#wantedFrom < 0) return
    if (end > this.#wantedFrom) this.#listener?.value(text.slice(this.#wantedFrom, end))
    this.#listener?.valueEnd()
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

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
