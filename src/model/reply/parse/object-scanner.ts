import {
  backslashesBefore,
  closeKind,
  endOfString,
  isSpace,
  kinds,
  markKind,
  mayBeScalar,
  numberKind,
  openKind,
  quoteKind,
  readKey,
  sliceOf,
} from './json-text.ts'
import type { MarkerSet } from './marker-set.ts'
import type { ObjectListener, ScanStatus } from './object-listener.ts'
import { Plainness } from './plainness.ts'

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
  readonly #plain = new Plainness()
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

  /** Whether JavaScript's own reader gives the value without loss, as far as could be seen in passing. */
  get isPlain(): boolean {
    return this.#plain.holds
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
          this.#plain.depth(++this.#depth)
          break
        case closeKind:
          if (this.#isScalar) this.#endValue(text, at)
          this.#depth--
          if (this.#depth === 1) this.#endValue(text, at + 1)
          else if (this.#depth <= 0) return this.#stop(text, from, at + 1, 'end')
          break
        case numberKind:
          this.#plain.number(code, this.#base + at)
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
   * Takes a piece inside a string, or below the first level, that does not lead out of it, or a character between values. False if there is more to it; then
   * nothing has been read.
   */
  takeInside(piece: string, markers: MarkerSet<unknown>): boolean {
    if (!this.#hidesMarkers) return false
    if (this.#key !== undefined) return this.#takeInsideKey(piece)
    if (this.#depth < 2 && !this.isInString) return piece.length === 1 && this.#takeBetween(piece.charCodeAt(0), markers)
    if (piece.length === 1) return this.#takeCharacter(piece.charCodeAt(0), markers)
    const before = { isInString: this.isInString, stringFrom: this.stringFrom, isEscaped: this.#isEscaped, depth: this.#depth }
    for (let at = 0; at < piece.length; at++) {
      if (this.#takeCharacter(piece.charCodeAt(at), markers)) continue
      this.isInString = before.isInString
      this.stringFrom = before.stringFrom
      this.#isEscaped = before.isEscaped
      this.#depth = before.depth
      this.#read -= at
      return false
    }
    return true
  }

  /** As `takeInside`, for a piece of one character: most of a stream that comes character by character. */
  #takeCharacter(code: number, markers: MarkerSet<unknown>): boolean {
    if (this.isInString) {
      if (this.#read === this.stringFrom + 1) this.#plain.string(code)
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === backslash) this.#isEscaped = true
      else if (code === quote) {
        // The end of a value of the first level is told if it is wanted.
        if (this.#depth < 2 && this.isWanted) return false
        this.isInString = false
      }
      this.#read++
      return true
    }
    if (this.#depth < 2) return false
    switch (markers.markIn(kinds, markKind)[code < 128 ? code : 128]) {
      case 0:
        break
      case quoteKind:
        this.isInString = true
        this.stringFrom = this.#read
        break
      case openKind:
        this.#plain.depth(++this.#depth)
        break
      case closeKind:
        if (this.#depth === 2 && this.isWanted) return false
        this.#depth--
        break
      case numberKind:
        this.#plain.number(code, this.#read)
        break
      default:
        return false
    }
    this.#read++
    return true
  }

  /** As `#takeCharacter`, for what stands between values of the first level, or begins one there. */
  #takeBetween(code: number, markers: MarkerSet<unknown>): boolean {
    if (this.#depth === 0 || markers.startsWith(code)) return false
    if (this.#isScalar) {
      if (this.isWanted || !this.#takeInScalar(code)) return false
    } else if (code === colon) {
      if (this.#expect === 'colon') this.#expect = 'value'
    } else if (code === comma) this.#expect = 'key'
    else if (code === quote && this.#expect === 'key') {
      this.#key = '"'
      this.isInString = true
      this.stringFrom = this.#read
    } else if (this.#expect === 'value' && (code === quote || code === brace || code === bracket)) {
      this.#expect = 'comma'
      this.#wantedStart = this.#read
      this.isInString = code === quote
      if (code === quote) this.stringFrom = this.#read
      else this.#depth++
    } else if (this.#expect === 'value' && !this.isWanted && mayBeScalar(code)) {
      this.#expect = 'comma'
      this.#isScalar = true
      if (kinds[code] === numberKind) this.#plain.number(code, this.#read)
    } else if (!isSpace(code)) return false
    this.#read++
    return true
  }

  /** A number or a word goes on, or ends; false if more than that happens. */
  #takeInScalar(code: number): boolean {
    if (code === comma) {
      this.#isScalar = false
      this.#expect = 'key'
    } else if (isSpace(code)) this.#isScalar = false
    else if (!mayBeScalar(code)) return false
    else if (kinds[code] === numberKind) this.#plain.number(code, this.#read)
    return true
  }

  #takeInsideKey(piece: string): boolean {
    if (this.#isEscaped) return false
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === quote || code === backslash) return false
    }
    if (this.#read === this.stringFrom + 1) this.#plain.string(piece.charCodeAt(0))
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
        this.#plain.string(text.charCodeAt(at + 1))
        at = end
        continue
      }
      if (kind === closeKind) {
        if (depth === 2) break
        depth--
      } else if (kind === openKind) {
        this.#plain.depth(++depth)
      } else if (kind === numberKind) this.#plain.number(code, this.#base + at)
      else break
      at++
    }
    this.#depth = depth
    return at
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
    if (this.#base + from === this.stringFrom + 1) this.#plain.string(text.charCodeAt(from))
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

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const bracket = 0x5b
const backslash = 0x5c
const brace = 0x7b
