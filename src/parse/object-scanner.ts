import {
  backslashesBefore,
  closeKind,
  endOfString,
  isSpace,
  kinds,
  markKind,
  numberKind,
  openKind,
  quoteKind,
  readKey,
  sliceOf,
} from './json-text.ts'
import type { MarkerSet } from './marker-set.ts'

/** Hears what stands on the first level of an object. */
export type ObjectListener = {
  /** A key is complete; whether its value is wanted, or the object is not what it was taken for. */
  key(key: string): 'wanted' | 'other' | 'stop'
  /** The next chunk of the wanted value. */
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
  /** Where the last string began. Places are counted from the object's start, over all chunks. */
  stringFrom = 0
  /**
   * Whether JavaScript's own reader gives the value without loss, as far as could be seen in passing: no integer too large for
   * it, no float such as 1.0, no key that it would move (unless that is written with escapes). Where it is false, `parseJson`
   * looks closely.
   */
  isPlain = true
  /** Where the last number ended so far, how long it is, and where its last sign or point ended. */
  #numberEnd = -1
  #numberLength = 0
  #signEnd = -1
  #read = 0
  #isStopped = false
  #isEscaped = false
  #depth = 0
  /** On the first level: what comes next. */
  #expect: 'key' | 'colon' | 'value' | 'comma' = 'key'
  #key: string | undefined
  /** The value that is being read is wanted. */
  isWanted = false
  /** The value is a number or a word, which ends where something else starts. */
  #isScalar = false
  /** Where in the current text the wanted value goes on, or -1. */
  #wantedFrom = -1
  #wantedStart = 0
  /** Where the current text starts. */
  #base = 0
  readonly #hidesMarkers: boolean
  readonly #listener: ObjectListener

  constructor(hidesMarkers: boolean, listener: ObjectListener) {
    this.#hidesMarkers = hidesMarkers
    this.#listener = listener
  }

  /** What comes next belongs to the wanted value. */
  get isInWanted(): boolean {
    return this.isWanted && this.#expect === 'comma'
  }

  /** Reads on and hands back where it stopped; `status` says why. Markers inside strings are text, if it hides them. */
  scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const { length } = text
    let at = from
    let nextMarker = this.#hidesMarkers ? length : -1
    this.#base = this.#read - from
    this.#wantedFrom = this.isInWanted ? from : -1
    while (at < length) {
      if (this.isInString) {
        if (nextMarker < at) nextMarker = markers.find(text, at, isFinal) === 'none' ? length : markers.at
        if (nextMarker === at) return this.#stop(text, from, at, markers.match(text, at, isFinal) === 'found' ? 'marker' : 'partial')
        at = this.#passString(text, at, nextMarker)
        if (this.#isStopped) return this.#stop(text, from, at, 'stop')
        continue
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
      switch (kinds[code < 128 ? code : 128]) {
        case quoteKind:
          this.#startString(at)
          break
        case openKind:
          if (this.#depth === 1 && this.#expect === 'value') this.#startValue(at)
          if (++this.#depth > plainDepth) this.isPlain = false
          break
        case closeKind:
          if (this.#isScalar) this.#endValue(text, at)
          this.#depth--
          if (this.#depth === 1) this.#endValue(text, at + 1)
          else if (this.#depth <= 0) return this.#stop(text, from, at + 1, 'end')
          break
        case numberKind:
          this.#noteNumber(code, this.#base + at)
          if (this.#depth === 1) this.#readBetween(text, at, code)
          break
        default:
          if (this.#depth === 1) this.#readBetween(text, at, code)
      }
      at++
    }
    return this.#stop(text, from, at, 'more')
  }

  /**
   * Takes a piece inside a string, or below the first level, that does not lead out of it. False if there is more to it; then
   * nothing has been read.
   */
  takeInside(piece: string, markers: MarkerSet<unknown>): boolean {
    if (!this.#hidesMarkers) return false
    if (this.#key !== undefined) return this.#takeInsideKey(piece)
    if (this.#depth < 2 && !this.isInString) return false
    if (piece.length === 1 && this.#passesOver(piece.charCodeAt(0), markers)) {
      this.#read++
      return true
    }
    let { isInString, stringFrom } = this
    let isEscaped = this.#isEscaped
    let depth = this.#depth
    let place = this.#read
    const table = markers.markIn(kinds, markKind)
    for (let at = 0; at < piece.length; at++, place++) {
      const code = piece.charCodeAt(at)
      if (isInString) {
        if (place === stringFrom + 1) this.#noteString(code)
        if (isEscaped) isEscaped = false
        else if (code === backslash) isEscaped = true
        else if (code === quote) {
          if (depth < 2) return false
          isInString = false
        }
        continue
      }
      const kind = table[code < 128 ? code : 128]
      if (kind === 0) continue
      if (kind === quoteKind) {
        isInString = true
        stringFrom = place
      } else if (kind === closeKind) {
        if (--depth < 2) return false
      } else if (kind === openKind) {
        if (++depth > plainDepth) this.isPlain = false
      } else if (kind === numberKind) this.#noteNumber(code, place)
      else return false
    }
    this.isInString = isInString
    this.stringFrom = stringFrom
    this.#isEscaped = isEscaped
    this.#depth = depth
    this.#read = place
    return true
  }

  /** Whether a character changes nothing: most of a stream that comes character by character. */
  #passesOver(code: number, markers: MarkerSet<unknown>): boolean {
    if (this.isInString) return code !== quote && code !== backslash && !this.#isEscaped && this.#read !== this.stringFrom + 1
    return markers.markIn(kinds, markKind)[code < 128 ? code : 128] === 0
  }

  #takeInsideKey(piece: string): boolean {
    if (this.#isEscaped || this.#read === this.stringFrom + 1) return false
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === quote || code === backslash) return false
    }
    this.#key += piece
    this.#read += piece.length
    return true
  }

  /** Passes what stands below the first level, up to a character that must be looked at: the last bracket, or a marker's first. */
  #passNested(text: string, from: number, markers: MarkerSet<unknown>): number {
    const { length } = text
    const table = markers.markIn(kinds, markKind)
    let depth = this.#depth
    let at = from
    while (at < length) {
      const code = text.charCodeAt(at)
      const kind = table[code < 128 ? code : 128]
      if (kind === 0) {
        at++
        continue
      }
      if (kind === quoteKind) {
        const end = endOfString(text, at + 1, length)
        if (end < 0) {
          this.#startString(at++)
          break
        }
        this.#noteString(text.charCodeAt(at + 1))
        at = end
        continue
      }
      if (kind === closeKind) {
        if (depth === 2) break
        depth--
      } else if (kind === openKind) {
        if (++depth > plainDepth) this.isPlain = false
      } else if (kind === numberKind) this.#noteNumber(code, this.#base + at)
      else break
      at++
    }
    this.#depth = depth
    return at
  }

  /** Notes numbers that JavaScript would change: `1.0`, `1e5`, `-0`, sixteen digits. */
  #noteNumber(code: number, place: number): void {
    if (place < this.#numberEnd) return // it was looked at before
    if (code === 0x65 || code === 0x45) {
      if (place === this.#numberEnd) this.isPlain = false
      return
    }
    if (code === 0x30 && place === this.#signEnd) this.isPlain = false
    if (code === 0x2e || code === 0x2d) this.#signEnd = place + 1
    this.#numberLength = place === this.#numberEnd ? this.#numberLength + 1 : 1
    if (this.#numberLength > 14) this.isPlain = false
    this.#numberEnd = place + 1
  }

  /** Notes strings that, as keys, JavaScript would move or swallow: integers, `__proto__`. */
  #noteString(first: number): void {
    if ((first >= 0x30 && first <= 0x39) || first === 0x5f) this.isPlain = false
  }

  /** What stands on the first level besides strings and brackets. */
  #readBetween(text: string, at: number, code: number): void {
    if (code === colon) {
      if (this.#expect === 'colon') this.#expect = 'value'
    } else if (code === comma) {
      if (this.#isScalar) this.#endValue(text, at)
      this.#expect = 'key'
    } else if (isSpace(code)) {
      if (this.#isScalar) this.#endValue(text, at)
    } else if (this.#expect === 'value') {
      this.#startValue(at)
      this.#isScalar = true
    }
  }

  #startString(at: number): void {
    this.isInString = true
    this.stringFrom = this.#base + at
    if (this.#depth !== 1) return
    if (this.#expect === 'key') this.#key = '"'
    else if (this.#expect === 'value') this.#startValue(at)
  }

  /** Passes what is left of a string before `limit`, its closing quote included. */
  #passString(text: string, from: number, limit: number): number {
    if (this.#base + from === this.stringFrom + 1) this.#noteString(text.charCodeAt(from))
    const start = this.#isEscaped ? from + 1 : from
    const end = endOfString(text, start, limit)
    const at = end < 0 ? limit : end
    this.isInString = end < 0
    this.#isEscaped = end < 0 && backslashesBefore(text, limit, start) % 2 === 1
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
    const answer = key === undefined ? 'other' : this.#listener.key(key)
    this.isWanted = answer === 'wanted'
    this.#isStopped = answer === 'stop'
  }

  #startValue(at: number): void {
    this.#expect = 'comma'
    if (!this.isWanted) return
    this.#wantedFrom = at
    this.#wantedStart = this.#base + at
  }

  #endValue(text: string, end: number): void {
    this.#isScalar = false
    if (this.#wantedFrom < 0) return
    if (end > this.#wantedFrom) this.#listener.value(sliceOf(text, this.#wantedFrom, end))
    this.#listener.valueEnd(this.#wantedStart, this.#base + end)
    this.isWanted = false
    this.#wantedFrom = -1
  }

  #stop(text: string, from: number, at: number, status: ScanStatus): number {
    this.#read += at - from
    if (this.#wantedFrom >= 0 && at > this.#wantedFrom) this.#listener.value(sliceOf(text, this.#wantedFrom, at))
    this.status = status
    return at
  }
}

/** Far below the depth that readers refuse. */
const plainDepth = 100

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
