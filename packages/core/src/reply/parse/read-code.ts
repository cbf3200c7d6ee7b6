import type { CodeBody } from '../syntax.ts'
import type { MarkerSet } from './marker-set.ts'
import type { Reading, Steps } from './reading.ts'
import { isSpace, type ScanStatus } from './scanners.ts'
import { finish, followMark, placeOfCall } from './transitions.ts'

/** A block of code, up to the mark that ends it. */
export function* readCode(r: Reading): Steps {
  const { fence } = r.block.code!
  const hasClose = r.block.close !== undefined
  let code = new CodeScanner(fence, !r.isStrict)
  for (;;) {
    r.takeRaw(code.scan(r.text, r.at, r.marks, r.isFinal))
    tellCode(r, code.takeCode())
    const mark = code.status === 'marker' ? r.marks.match(r.text, r.at, r.isFinal) : undefined
    if (typeof mark === 'object') {
      const isClosed = mark.meaning.kind === 'close'
      finishCode(r, code, hasClose && !isClosed, r.position + (isClosed ? mark.text.length : 0))
      return followMark(r, mark)
    }
    if (r.isEnded) {
      if (code.fenceFrom === undefined || !r.rewind(code.fenceFrom, r.marks)) {
        finishCode(r, code, hasClose, r.position)
        r.state = 'over'
        return
      }
      // Up to the fence that never closed, marks were rightly taken for code.
      r.tell({ type: 'reset', index: r.calls })
      code = new CodeScanner(fence, true)
      code.scan(r.raw, 0, r.marks, true)
      code.seeMarkers()
      continue
    }
    yield
    if (r.isTokenOf(r.marks)) code.seeMarkers()
  }
}

function tellCode(r: Reading, text: string): void {
  if (text !== '') r.tell({ type: 'code', index: r.calls, text })
}

function finishCode(r: Reading, scanner: CodeScanner, isUnterminated: boolean, end: number): void {
  scanner.finish()
  tellCode(r, scanner.takeCode())
  const { language } = scanner
  const { raw } = r
  const fenced = scanner.codeIn(raw)
  const code = fenced ?? raw.trim()
  if (fenced === undefined) tellCode(r, code)
  const named = language === undefined ? {} : { language }
  finish(r, { kind: 'code', code, ...named, raw, ...(isUnterminated ? { unterminated: true as const } : {}), at: placeOfCall(r, end) })
}

/**
 * Follows a block of code over any number of chunks. With `fence: 'markdown'` the first fenced block is the code; a marker inside a fence
 * is code, and a fence closes on a line of its own or right before the marker that ends the block.
 */
export class CodeScanner {
  status: ScanStatus = 'more'
  language: string | undefined
  /** How much had been read when the open fence opened: markers after it were taken for code. */
  fenceFrom: number | undefined
  #codeFrom: number | undefined
  #codeLength = 0
  /** Code that has been found and not taken. */
  #code = ''
  #read = 0
  #place: 'indent' | 'line' | 'ticks' | 'info' | 'closing' = 'indent'
  #ticks = 0
  #fenceTicks = 0
  /** The ticks being counted are the first of their line. */
  #isOwnLine = false
  #info = ''
  #isFirst = false
  /** Belongs to the code unless the fence closes after it. */
  #pending = ''
  readonly #fence: CodeBody['fence']
  #hidesMarkers: boolean

  constructor(fence: CodeBody['fence'], hidesMarkers: boolean) {
    this.#fence = fence
    this.#hidesMarkers = hidesMarkers
    if (fence === 'none') this.#codeFrom = 0
  }

  /** The code found so far in what was scanned; undefined if no fence has opened. */
  codeIn(scanned: string): string | undefined {
    return this.#codeFrom === undefined ? undefined : scanned.slice(this.#codeFrom, this.#codeFrom + this.#codeLength)
  }

  /** The code found since the last call. */
  takeCode(): string {
    const code = this.#code
    this.#code = ''
    return code
  }

  scan(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const end = this.#fence === 'none' ? this.#scanPlain(text, from, markers, isFinal) : this.#scanFences(text, from, markers, isFinal)
    this.#read += end - from
    return end
  }

  /** From here on, markers count inside a fence. */
  seeMarkers(): void {
    this.#hidesMarkers = false
  }

  /** The block has ended. */
  finish(): void {
    if (this.fenceFrom !== undefined && !this.#mayClose() && this.#pending.trim() !== '') this.#emit(this.#pending)
  }

  /** After enough ticks, the fence is closed if the line or the block ends here. */
  #mayClose(): boolean {
    return this.#place === 'closing' || (this.#place === 'ticks' && this.fenceFrom !== undefined && this.#ticks >= this.#fenceTicks)
  }

  #scanPlain(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    const { at: end, marker } = markers.find(text, from, isFinal)
    this.status = marker !== undefined ? 'marker' : end < text.length ? 'partial' : 'more'
    let start = from
    if (this.#codeLength === 0) {
      while (start < end && isSpace(text.charCodeAt(start))) start++
      this.#codeFrom = this.#read + start - from
    }
    let last = end
    while (last > start && isSpace(text.charCodeAt(last - 1))) last--
    // White space at the very end is not code, so that it waits for what follows.
    if (last > start) {
      this.#emit(this.#pending + text.slice(start, last))
      this.#pending = ''
    }
    if (this.#codeLength > 0) this.#pending += text.slice(last, end)
    return end
  }

  #scanFences(text: string, from: number, markers: MarkerSet<unknown>, isFinal: boolean): number {
    this.status = 'more'
    for (let at = from; at < text.length; ) {
      const isHidden = this.#hidesMarkers && this.fenceFrom !== undefined && !this.#mayClose()
      const found = isHidden ? undefined : markers.match(text, at, isFinal)
      if (found !== undefined) {
        this.status = found === 'partial' ? 'partial' : 'marker'
        if (found !== 'partial' && this.#mayClose()) this.#closeFence()
        return at
      }
      const start = at++
      if (this.#place !== 'line' || !isOrdinary(text, start)) this.#step(text[start]!, this.#read + at - from)
      else {
        while (isOrdinary(text, at) && (isHidden || markers.match(text, at, isFinal) === undefined)) at++
        this.#emit(text.slice(start, at))
      }
    }
    return text.length
  }

  #step(character: string, read: number): void {
    switch (this.#place) {
      case 'indent':
      case 'line':
        if (character === '`') {
          this.#isOwnLine = this.#place === 'indent'
          this.#place = 'ticks'
          this.#ticks = 1
          this.#pending += character
        } else if (character === '\n') this.#endLine()
        else if (this.#place === 'indent' && (character === ' ' || character === '\t')) this.#pending += character
        else this.#startLine(character)
        return
      case 'ticks':
        if (character === '`') {
          this.#ticks++
          this.#pending += character
        } else if (this.#ticks >= 3 && this.fenceFrom === undefined && this.#isOwnLine) {
          this.#place = 'info'
          this.#info = ''
          this.#step(character, read)
        } else if (this.#mayClose()) {
          this.#place = 'closing'
          this.#step(character, read)
        } else if (character === '\n') this.#endLine()
        else this.#startLine(character)
        return
      case 'info':
        if (character === '\n') this.#openFence(read)
        else if (character === '`') this.#startLine(character)
        else this.#info += character
        return
      case 'closing':
        if (character === '\n' && this.#isOwnLine) {
          this.#closeFence()
          this.#endLine()
        } else if (isSpace(character.charCodeAt(0))) this.#pending += character
        else if (character === '`') {
          // What looked like the end was code; the line of these ticks may be the end.
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
    this.#emit(this.#pending + character)
    this.#pending = ''
  }

  #endLine(): void {
    this.#emit(this.#pending)
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

  #emit(text: string): void {
    if (this.#fence === 'markdown' && (this.fenceFrom === undefined || !this.#isFirst)) return
    this.#codeLength += text.length
    this.#code += text
  }
}

/** Neither the end of a line nor a tick. */
function isOrdinary(text: string, at: number): boolean {
  return at < text.length && text[at] !== '\n' && text[at] !== '`'
}
