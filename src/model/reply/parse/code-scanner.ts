import type { ReplyEvent } from '../reply.ts'
import type { CodeBody } from '../syntax.ts'
import type { EventList } from './event-list.ts'
import { isSpace, sliceOf } from './json-text.ts'
import type { MarkerSet } from './marker-set.ts'
import type { ScanStatus } from './object-listener.ts'

/**
 * Follows a block of code over any number of chunks. With `fence: 'markdown'` the first fenced block is the code; a marker
 * inside a fence is code, and a fence closes on a line of its own or right before the marker that ends the block.
 */
export class CodeScanner {
  status: ScanStatus = 'more'
  language: string | undefined
  /** How much had been read when the fence opened that is still open: markers behind it were taken for code. */
  fenceFrom: number | undefined
  /** Where the code starts, and how much of it has been told. */
  #codeFrom: number | undefined
  #codeLength = 0
  #read = 0
  #place: 'indent' | 'line' | 'ticks' | 'info' | 'closing' = 'indent'
  #ticks = 0
  #fenceTicks = 0
  /** The ticks being counted are the first of their line. */
  #isOwnLine = false
  #info = ''
  #isFirst = false
  /** Belongs to the code unless the fence closes behind it. */
  #pending = ''
  readonly #fence: CodeBody['fence']
  #hidesMarkers: boolean
  readonly #index: number
  readonly #events: EventList

  constructor(fence: CodeBody['fence'], hidesMarkers: boolean, index: number, events: EventList) {
    this.#fence = fence
    this.#hidesMarkers = hidesMarkers
    this.#index = index
    this.#events = events
    if (fence === 'none') this.#codeFrom = 0
  }

  /** The code found so far, given all that was scanned; undefined where no fence has opened. */
  codeIn(scanned: string): string | undefined {
    return this.#codeFrom === undefined ? undefined : scanned.slice(this.#codeFrom, this.#codeFrom + this.#codeLength)
  }

  scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const end = this.#fence === 'none' ? this.#scanPlain(text, from, markers, isFinal) : this.#scanFences(text, from, markers, isFinal)
    this.#read += end - from
    return end
  }

  /** Takes a piece inside a fence that cannot end it, and hands back what it tells. Undefined if there is more to it; then nothing has been read. */
  takeInside(piece: string): ReplyEvent[] | undefined {
    if (this.fenceFrom === undefined || !this.#hidesMarkers || (this.#place !== 'line' && this.#place !== 'indent')) return undefined
    for (let at = 0; at < piece.length; at++) if (piece.charCodeAt(at) === tick) return undefined
    this.#read += piece.length
    if (piece.length === 1 && this.#place === 'line' && this.#pending === '' && piece.charCodeAt(0) !== newline) {
      if (!this.#isFirst) return []
      this.#codeLength++
      return [{ type: 'code', index: this.#index, text: piece }]
    }
    this.#passCode(piece, 0, piece.length)
    return this.#events.take()
  }

  /** From now on markers count inside a fence, too. */
  seeMarkers(): void {
    this.#hidesMarkers = false
  }

  /** The block is over. */
  finish(): void {
    if (this.fenceFrom === undefined) return
    if (!this.#mayClose() && this.#pending.trim() !== '') this.#emit(this.#pending)
  }

  /** Behind enough ticks: if the line or the block ends here, the fence is closed. */
  #mayClose(): boolean {
    return this.#place === 'closing' || (this.#place === 'ticks' && this.fenceFrom !== undefined && this.#ticks >= this.#fenceTicks)
  }

  #scanPlain(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const found = markers.find(text, from, isFinal)
    const end = found === 'none' ? text.length : markers.at
    this.status = found === 'none' ? 'more' : found === 'found' ? 'marker' : 'partial'
    let start = from
    if (this.#codeLength === 0) {
      while (start < end && isSpace(text.charCodeAt(start))) start++
      this.#codeFrom = this.#read + start - from
    }
    let last = end
    while (last > start && isSpace(text.charCodeAt(last - 1))) last--
    // White space at the very end is not code, so it waits for what follows.
    if (last > start) {
      this.#emit(this.#pending + text.slice(start, last))
      this.#pending = ''
    }
    if (this.#codeLength > 0) this.#pending += text.slice(last, end)
    return end
  }

  #scanFences(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const { length } = text
    let at = from
    while (at < length) {
      const code = text.charCodeAt(at)
      const isHidden = this.#hidesMarkers && this.fenceFrom !== undefined && !this.#mayClose()
      if (!isHidden && markers.startsWith(code)) {
        const found = markers.match(text, at, isFinal)
        if (found !== 'none') {
          this.status = found === 'found' ? 'marker' : 'partial'
          if (found === 'found' && this.#mayClose()) this.#closeFence()
          return at
        }
      }
      const codeEnd = isHidden && (this.#place === 'line' || this.#place === 'indent') ? endOfCode(text, at) : at
      if (codeEnd > at) {
        this.#passCode(text, at, codeEnd)
        at = codeEnd
      } else if (this.#place === 'line' && code !== newline && code !== tick) {
        const start = at++
        while (at < length && isOrdinary(text.charCodeAt(at)) && (isHidden || !markers.startsWith(text.charCodeAt(at)))) at++
        this.#take(text.slice(start, at))
      } else this.#step(text[at]!, code, this.#read + (at++ - from) + 1)
    }
    this.status = 'more'
    return at
  }

  /** Passes code inside a fence. The last line break and what is indented behind it wait: the fence may close there. */
  #passCode(text: string, from: number, end: number): void {
    let last = end
    while (last > from && isIndent(text.charCodeAt(last - 1))) last--
    if (last > from && text.charCodeAt(last - 1) === newline) {
      this.#take(text.slice(from, last - 1))
      this.#pending = text.slice(last - 1, end)
      this.#place = 'indent'
    } else if (last === from && this.#place === 'indent') this.#pending += text.slice(from, end)
    else {
      this.#take(sliceOf(text, from, end))
      this.#place = 'line'
    }
  }

  #step(character: string, code: number, read: number): void {
    switch (this.#place) {
      case 'indent':
      case 'line':
        if (code === tick) {
          this.#isOwnLine = this.#place === 'indent'
          this.#place = 'ticks'
          this.#ticks = 1
          this.#pending += character
        } else if (code === newline) this.#endLine()
        else if (this.#place === 'indent' && isIndent(code)) this.#pending += character
        else this.#startLine(character)
        return
      case 'ticks':
        if (code === tick) {
          this.#ticks++
          this.#pending += character
        } else if (this.#ticks >= 3 && this.fenceFrom === undefined && this.#isOwnLine) {
          this.#place = 'info'
          this.#info = ''
          this.#step(character, code, read)
        } else if (this.fenceFrom !== undefined && this.#ticks >= this.#fenceTicks) {
          this.#place = 'closing'
          this.#step(character, code, read)
        } else if (code === newline) this.#endLine()
        else this.#startLine(character)
        return
      case 'info':
        if (code === newline) this.#openFence(read)
        else if (code === tick) this.#startLine(character)
        else this.#info += character
        return
      case 'closing':
        if (code === newline && this.#isOwnLine) {
          this.#closeFence()
          this.#endLine()
        } else if (isSpace(code)) this.#pending += character
        else if (code === tick) {
          // What looked like the end was code; the line that these ticks stand on may be the end.
          const line = this.#pending.lastIndexOf('\n')
          this.#isOwnLine = line >= 0
          if (line > 0) this.#emit(this.#pending.slice(0, line))
          this.#pending = (line > 0 ? this.#pending.slice(line) : this.#pending) + character
          this.#place = 'ticks'
          this.#ticks = 1
        } else this.#startLine(character)
        return
      default:
        this.#place satisfies never
    }
  }

  #startLine(character: string): void {
    this.#place = 'line'
    this.#take(character)
  }

  #endLine(): void {
    this.#take('')
    this.#place = 'indent'
    this.#pending = '\n'
  }

  #openFence(read: number): void {
    this.fenceFrom = read
    this.#fenceTicks = this.#ticks
    this.#isFirst = this.#codeFrom === undefined
    this.#pending = ''
    this.#place = 'indent'
    if (!this.#isFirst) return
    this.#codeFrom = read
    const language = this.#info.trim().split(/\s/)[0]
    if (language) this.language = language
  }

  #closeFence(): void {
    this.fenceFrom = undefined
    this.#pending = ''
    this.#place = 'line'
  }

  #take(text: string): void {
    if (this.#pending === '') this.#emit(text)
    else {
      this.#emit(this.#pending + text)
      this.#pending = ''
    }
  }

  #emit(text: string): void {
    if (text === '') return
    if (this.#fence === 'markdown' && (this.fenceFrom === undefined || !this.#isFirst)) return
    this.#codeLength += text.length
    this.#events.tell({ type: 'code', index: this.#index, text })
  }
}

/** Up to three ticks in a row, or up to what may become three. */
function endOfCode(text: string, from: number): number {
  const ticks = text.length - from < 3 ? -1 : text.indexOf('```', from)
  if (ticks >= 0) return ticks
  let end = text.length
  while (end > from && text.charCodeAt(end - 1) === tick) end--
  return end
}

function isOrdinary(code: number): boolean {
  return code !== newline && code !== tick
}

function isIndent(code: number): boolean {
  return code === 0x20 || code === 0x09
}

const newline = 0x0a
const tick = 0x60
