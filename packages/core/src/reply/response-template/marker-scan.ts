import { isInPair, noMatch, undecided } from '../../base/pattern/python/python-pattern.ts'
import type { StepBudget } from '../../base/pattern/step-budget.ts'
import type { ResponseMarker } from './response-template.ts'

/** What a search of a long text that is still undecided may cost, in characters for each one that arrives. */
const patience = 8
/** Shorter texts are searched again with every piece. */
const shortText = 256

/** Which of the markers that are watched may begin with a character: a bit for each. */
type Table = { ascii: Uint32Array; others: number; end: number; pairs?: Uint32Array }

/** With more markers, tables of pairs take more memory than they save time. */
const mostMarkers = 16

const tables = new WeakMap<readonly ResponseMarker[], Table>()

/** Finds markers in a text that grows, and keeps no more of it than decides what follows. */
export class MarkerScan {
  /** The text before the marker that was found, or the text that is certain to be before the next one. */
  before = ''
  readonly #lookback: number
  /** Where the marker that was found begins, or where the certain text ends, in all that was added. */
  markStart = 0
  #text = ''
  #at = 0
  /** How much text was forgotten. */
  #dropped = 0
  #isStart = true
  /** The first half of a character, whose second half has not arrived. */
  #half = ''
  #markers: readonly ResponseMarker[] = []
  #table: Table | undefined
  /** The markers whose patterns have begun their search in this text: a bit for each. */
  #begun = 0
  /** Where the last marker ended that matched nothing, so that it does not match there again. */
  #emptyAt = -1
  #emptyMarkers = new Set<ResponseMarker>()
  /** A search is put off until this much text has arrived. */
  #credit = 0
  #waits = false
  /** Where the blank end of the text begins; -1: not known yet. */
  #blankFrom = -1
  readonly #budget: StepBudget

  constructor(lookback: number, budget: StepBudget) {
    this.#lookback = lookback
    this.#budget = budget
  }

  /** Where what was found ends. */
  get position(): number {
    return this.#dropped + this.#at
  }

  watch(markers: readonly ResponseMarker[]): void {
    this.#markers = markers
    this.#table = tables.get(markers) ?? tableOf(markers)
    tables.set(markers, this.#table)
    this.#begun = 0
    this.#waits = false
  }

  stop(): void {
    this.watch([])
  }

  rest(): string {
    const rest = this.#text.slice(this.#at)
    this.#at = this.#text.length
    this.markStart = this.position
    return rest
  }

  add(chunk: string): void {
    let text = this.#half === '' ? chunk : this.#half + chunk
    this.#half = ''
    const last = text.charCodeAt(text.length - 1)
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#half = text.slice(-1)
      text = text.slice(0, -1)
    }
    this.#drop()
    this.#text = this.#text === '' ? text : this.#text + text
    this.#begun = 0
    this.#credit = Math.min(this.#credit + patience * text.length, this.#text.length - this.#at)
  }

  finish(): void {
    this.#drop()
    this.#text += this.#half
    this.#half = ''
    this.#blankFrom = -1
    this.#waits = false
    this.#begun = 0
  }

  /** Text that decides nothing any more is forgotten. */
  #drop(): void {
    const keep = Math.max(0, this.#at - this.#lookback)
    if (keep === 0) return
    this.#text = keep === this.#text.length ? '' : this.#text.slice(keep)
    this.#at -= keep
    this.#dropped += keep
    this.#emptyAt -= keep
    this.#isStart = false
  }

  /** The next marker, if there is one and nothing that follows could change that. */
  next(isEnd: boolean, isOpen: boolean): ResponseMarker | undefined {
    this.before = ''
    const [text, from] = [this.#text, this.#at]
    if (this.#waits && this.#credit < text.length - from) return undefined
    this.#waits = false
    const { ascii, others, end, pairs } = this.#table!
    for (let at = from; ; at++) {
      if (at < text.length) {
        const unit = text.charCodeAt(at)
        let candidates = unit < 128 ? ascii[unit]! : others
        if (candidates === 0) continue
        if (pairs !== undefined && unit < 128 && at + 1 < text.length) {
          const next = text.charCodeAt(at + 1)
          if (next < 128) candidates &= pairs[(unit << 7) | next]!
          if (candidates === 0) continue
        } else if (isInPair(text, at)) continue
        const found = this.#best(candidates, at, isEnd, isOpen || at > from)
        if (found === noMatch) continue
        if (found === undecided) return this.#hold(at)
        return this.#take(found, at)
      }
      const found = isEnd && end !== 0 ? this.#best(end, at, true, isOpen || at > from) : noMatch
      if (typeof found === 'object') return this.#take(found, at)
      return this.#hold(at)
    }
  }

  #hold(at: number): undefined {
    this.before = this.#at === at ? '' : this.#text.slice(this.#at, at)
    this.#at = at
    this.markStart = this.position
    const length = this.#text.length - at
    if (length <= shortText) return undefined
    this.#waits = true
    this.#credit = 0
    return undefined
  }

  #take({ marker, end }: { marker: ResponseMarker; end: number }, at: number): ResponseMarker {
    this.before = this.#text.slice(this.#at, at)
    this.markStart = this.#dropped + at
    this.#at = end
    if (end === at) {
      if (this.#emptyAt !== at) this.#emptyMarkers.clear()
      this.#emptyAt = at
      this.#emptyMarkers.add(marker)
    }
    return marker
  }

  /** The best of the markers that may begin here: the longest, an opening one before a closing one, by name. */
  #best(
    candidates: number,
    at: number,
    isEnd: boolean,
    isOpen: boolean,
  ): { marker: ResponseMarker; end: number } | typeof noMatch | typeof undecided {
    let best: ResponseMarker | undefined
    let bestEnd = -1
    const markers = this.#markers
    for (let index = 0; index < markers.length; index++) {
      const bit = 1 << (index & 31)
      if ((candidates & bit) === 0) continue
      const marker = markers[index]!
      const { pattern, mayGrow } = marker
      if (index > 31 || (this.#begun & bit) === 0) {
        pattern.begin(this.#text, isEnd, this.#isStart, this.#at, this.#budget)
        this.#begun |= bit
      }
      const end = pattern.matchAt(at)
      if (end === noMatch) continue
      if (end === undecided) return undecided
      if (end === at && this.#isIdle(marker, at, isOpen)) {
        // `$` also matches before a last line break, which is then no text of its own.
        if (isEnd && !marker.isOpen && this.#isBlankFrom(at)) this.#at = this.#text.length
        continue
      }
      if (!isEnd && end === this.#text.length && (mayGrow || end === at)) return undecided
      if (end > bestEnd) {
        best = marker
        bestEnd = end
      }
    }
    return best ? { marker: best, end: bestEnd } : noMatch
  }

  /** Whether only white space follows, which the end of a reply asks at every position. */
  #isBlankFrom(at: number): boolean {
    if (this.#blankFrom < 0) this.#blankFrom = this.#text.trimEnd().length
    return at >= this.#blankFrom
  }

  /** An empty match that would change nothing, for ever: it closes nothing, or opened or closed its region here before. */
  #isIdle(marker: ResponseMarker, at: number, isOpen: boolean): boolean {
    if (!marker.isOpen && marker.field.open === undefined && !isOpen) return true
    return marker.isOpen && at === this.#emptyAt && this.#emptyMarkers.has(marker)
  }
}

function tableOf(markers: readonly ResponseMarker[]): Table {
  const table: Table = { ascii: new Uint32Array(128), others: 0, end: 0 }
  for (const [index, { pattern }] of markers.entries()) {
    const bit = 1 << (index & 31)
    for (let unit = 0; unit < 128; unit++) if (pattern.mayBegin(unit)) table.ascii[unit]! |= bit
    if (pattern.mayBegin(0x100)) table.others |= bit
    if (pattern.mayBegin(-1)) table.end |= bit
  }
  if (markers.length > 0 && markers.length <= mostMarkers) table.pairs = pairsOf(markers)
  return table
}

function pairsOf(markers: readonly ResponseMarker[]): Uint32Array {
  const pairs = new Uint32Array(128 * 128)
  for (const [index, { pattern }] of markers.entries()) {
    for (const { first, second } of pattern.pairs) {
      for (let one = 0; one < 128; one++)
        if (first[one] === 1 || pattern.first.empty === 'yes')
          for (let next = 0; next < 128; next++) if (second === undefined || second[next] === 1) pairs[(one << 7) | next]! |= 1 << index
    }
  }
  return pairs
}
