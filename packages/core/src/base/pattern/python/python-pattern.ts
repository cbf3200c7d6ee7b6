import { type StepBudget, StepsSpent } from '../step-budget.ts'
import {
  compilePythonPattern,
  type FirstCharacters,
  type FirstPair,
  firstCharacters,
  firstPairs,
  lengthOf,
  op,
  type PythonProgram,
} from './compile-python-pattern.ts'
import { type PythonAssertion, parsePythonPattern } from './parse-python-pattern.ts'
import { isWord, type PythonCharacters } from './python-characters.ts'

/** `PythonPattern.match`: the pattern does not match here, whatever follows. */
export const noMatch = -1
/** `PythonPattern.match`: what follows the text decides. */
export const undecided = -2

const [tryAt, restore, greedyLoop, lazyLoop, remember] = [0, 1, 2, 3, 4]

/** After so many steps for each character, positions that failed are remembered, so that none is tried twice. */
const eagerSteps = 4
/** Only back references and lookbehind can reach this: all else takes linear time. */
const mostSteps = 500

/**
 * A pattern of Python's `regex` module (with DOTALL): it matches as Python does, finds groups, and knows when the text that follows decides.
 * It tries alternatives in Python's order and remembers which failed where, so that its time is linear in the text.
 *
 * @example
 * new PythonPattern('<t>|<').match('a<', 1) // => 2
 * new PythonPattern('<t>|<').match('a<', 1, { isEnd: false }) // => -2
 */
export class PythonPattern {
  readonly first: FirstCharacters
  readonly pairs: readonly FirstPair[]
  readonly names: ReadonlyMap<string, number>
  /** How much text before a position may decide whether it matches there. */
  readonly lookback: number
  /** Whether a match may be empty. */
  readonly mayBeEmpty: boolean
  readonly slots: Int32Array
  readonly #program: PythonProgram
  readonly #canRemember: boolean
  #stack = new Int32Array(256)
  #top = 0
  #hasMatched = true
  #text = ''
  #isEnd = true
  #isStart = true
  #searchStart = 0
  #steps = 0
  #allowed = 0
  /** What all searches that share it may take together, and how many of the steps were taken from it. */
  #budget: StepBudget | undefined
  #charged = 0
  /** Of each loop, from where to where it is known to fail. */
  readonly #failedFrom: Int32Array
  readonly #failedTo: Int32Array
  readonly #failed = new Map<number, Uint32Array>()
  #remembers = false
  /** Whether the text ends early for this part, as it does for lookbehind. */
  #looksBehind = false

  constructor(readonly source: string) {
    const { node, groups, names } = parsePythonPattern(source)
    this.#program = compilePythonPattern(node, groups)
    this.names = names
    this.first = firstCharacters(node)
    this.pairs = this.first.empty === 'yes' ? [{ first: this.first.ascii }] : firstPairs(node)
    this.mayBeEmpty = lengthOf(node)[0] === 0
    this.lookback = this.#program.lookback
    this.slots = new Int32Array(this.#program.slots)
    this.#failedFrom = new Int32Array(this.#program.loops).fill(-1)
    this.#failedTo = new Int32Array(this.#program.loops)
    this.#canRemember = this.#program.references.length === 0 && !this.#program.asserts.includes('search-start')
  }

  /**
   * Begins a search in a text. `isEnd`: nothing follows it; `isStart`: nothing precedes it; `budget`: is shared with other searches.
   */
  begin(text: string, isEnd = true, isStart = true, from = 0, budget?: StepBudget): void {
    // A character whose second half has not arrived is one that has not arrived.
    this.#text = isEnd || !endsInHalf(text) ? text : text.slice(0, -1)
    this.#isEnd = isEnd
    this.#isStart = isStart
    this.#searchStart = from
    this.#steps = 0
    this.#budget = budget
    this.#charged = 0
    this.#allowed = mostSteps * (text.length + 1000)
    this.#remembers = false
    this.#looksBehind = false
    if (this.#failedFrom.length > 0) this.#failedFrom.fill(-1)
    if (this.#failed.size > 0) this.#failed.clear()
  }

  /** The steps that were taken since the search began. */
  get steps(): number {
    return this.#steps
  }

  /** Whether a match may begin with this code unit; -1: at the end of the text. */
  mayBegin(unit: number): boolean {
    const { ascii, others, empty } = this.first
    return unit < 0 ? empty !== 'no' : empty === 'yes' || (unit < 128 ? ascii[unit] === 1 : others)
  }

  /** The end of the match that begins at a position, `noMatch`, or `undecided`. */
  match(text: string, at: number, { isEnd = true }: { isEnd?: boolean } = {}): number {
    this.begin(text, isEnd)
    return this.matchAt(at)
  }

  /** As `match`, in the text of the search. */
  matchAt(at: number): number {
    if (this.#top > 0 || this.#hasMatched) {
      this.#top = 0
      this.slots.fill(-1)
      this.#hasMatched = false
    }
    const end = this.#run(0, at, this.#text.length, this.#isEnd)
    this.#hasMatched = end >= 0
    this.#charge()
    return end
  }

  /** The first match in the text of the search at or after a position: its start, or `noMatch`. Its end is in `end`. */
  end = 0
  find(from: number): number {
    const text = this.#text
    this.#searchStart = from
    for (let at = from; at <= text.length; at++) {
      if (!this.mayBegin(at < text.length ? text.charCodeAt(at) : -1) || isInPair(text, at)) continue
      const end = this.matchAt(at)
      if (end === noMatch) continue
      this.end = end
      return at
    }
    return noMatch
  }

  /** The text of a named group of the last match; undefined if it took no part. */
  group(name: string): string | undefined {
    const number = this.names.get(name)
    if (number === undefined) return undefined
    const [start, end] = [this.slots[2 * number]!, this.slots[2 * number + 1]!]
    return start >= 0 && end >= start ? this.#text.slice(start, end) : undefined
  }

  #push(kind: number, a: number, b: number, c = 0, d = 0): void {
    if (this.#top + frame > this.#stack.length) {
      const larger = new Int32Array(this.#stack.length * 2)
      larger.set(this.#stack)
      this.#stack = larger
    }
    const stack = this.#stack
    const top = this.#top
    stack[top] = kind
    stack[top + 1] = a
    stack[top + 2] = b
    stack[top + 3] = c
    stack[top + 4] = d
    this.#top = top + frame
  }

  #spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.#allowed) throw new StepsSpent('matching takes too many steps')
    if (this.#steps - this.#charged > 1000) this.#charge()
    if (this.#canRemember && this.#steps > eagerSteps * (this.#text.length + 100)) this.#remembers = true
  }

  #charge(): void {
    this.#budget?.take(this.#steps - this.#charged)
    this.#charged = this.#steps
  }

  /** Matches from an address of the program. `limit`: where the text ends for this part. */
  #run(start: number, from: number, limit: number, isEnd: boolean): number {
    const { code, texts, firstUnits, sets } = this.#program
    const text = this.#text
    const base = this.#top
    let pc = start
    let at = from
    for (;;) {
      this.#steps++
      let next = noMatch
      switch (code[pc]) {
        case op.match:
          if (!this.#looksBehind || at === limit) {
            this.#keepRestores(base)
            return at
          }
          break
        case op.text: {
          if (at < limit && text.charCodeAt(at) !== firstUnits[code[pc + 1]!]) break
          const expected = texts[code[pc + 1]!]!
          if (text.startsWith(expected, at) && at + expected.length <= limit) at += expected.length
          else if (isEnd || at + expected.length <= limit || !expected.startsWith(text.slice(at, limit))) break
          else return undecided
          next = pc + 2
          break
        }
        case op.set:
        case op.any: {
          if (at >= limit) {
            if (isEnd) break
            return undecided
          }
          const point = text.codePointAt(at)!
          if (code[pc] === op.set && !sets[code[pc + 1]!]!.has(point)) break
          next = pc + (code[pc] === op.set ? 2 : 1)
          at += point > 0xffff ? 2 : 1
          break
        }
        case op.split:
          if (this.#remembers && !this.#looksBehind) {
            if (this.#hasFailed(code[pc + 3]!, at)) break
            this.#push(remember, code[pc + 3]!, at)
          }
          this.#push(tryAt, code[pc + 2]!, at)
          next = code[pc + 1]!
          break
        case op.jump:
          next = code[pc + 1]!
          break
        case op.save:
        case op.mark: {
          const slot = code[pc + 1]!
          this.#push(restore, slot, this.slots[slot]!)
          this.slots[slot] = at
          next = pc + 2
          break
        }
        case op.check:
          // A repetition that matched nothing would match nothing for ever: it is left.
          next = this.slots[code[pc + 1]!] === at ? code[pc + 2]! : pc + 3
          break
        case op.assert:
        case op.look: {
          const operand = code[pc + 1]!
          const holds = code[pc] === op.look ? this.#looks(operand, at, limit, isEnd) : this.#holds(operand, at, isEnd)
          if (holds === undefined) return undecided
          if (holds) next = pc + 2
          break
        }
        case op.atomic:
        case op.backReference: {
          const operand = code[pc + 1]!
          const end = code[pc] === op.atomic ? this.#run(operand, at, limit, isEnd) : this.#repeats(operand, at, limit, isEnd)
          if (end === undecided) return undecided
          if (end === noMatch) break
          at = end
          next = pc + 2
          break
        }
        case op.loop: {
          const loop = code[pc + 3]!
          if (!this.#looksBehind && this.#failedFrom[loop]! >= 0 && at >= this.#failedFrom[loop]! && at <= this.#failedTo[loop]!) break
          next = pc + 4
          if (code[pc + 2] === 1) {
            this.#push(lazyLoop, pc, at, at)
            break
          }
          // Behind what is known to fail nothing needs to be tried again.
          const known = this.#looksBehind ? -1 : this.#failedFrom[loop]!
          const bound = known > at && known < limit ? known : limit
          let end = endOfRun(text, at, bound, sets[code[pc + 1]!])
          this.#spend((end - at) >> 3)
          if (bound === limit) {
            if (end >= limit && !isEnd) return undecided
          } else if (end >= bound) end = bound - (isInPair(text, bound - 1) ? 2 : 1)
          this.#push(greedyLoop, pc, end, at, end)
          at = end
        }
      }
      if (next >= 0) {
        pc = next
        continue
      }
      // Back to the last choice.
      if (this.#top <= base) return noMatch
      this.#spend(1)
      for (;;) {
        if (this.#top <= base) return noMatch
        const top = this.#top - frame
        this.#top = top
        const stack = this.#stack
        const kind = stack[top]!
        const a = stack[top + 1]!
        const b = stack[top + 2]!
        const began = stack[top + 3]!
        if (kind === restore) this.slots[a] = b
        else if (kind === remember) this.#fail(a, b)
        else if (kind === tryAt) {
          pc = a
          at = b
          break
        } else if (kind === greedyLoop) {
          const end = stack[top + 4]!
          if (b <= began) {
            this.#failLoop(code[a + 3]!, began, end)
            continue
          }
          at = b - (isInPair(text, b - 1) ? 2 : 1)
          this.#push(greedyLoop, a, at, began, end)
          pc = a + 4
          break
        } else {
          const set = sets[code[a + 1]!]
          const point = b < limit ? text.codePointAt(b)! : -1
          if (point < 0 && !isEnd) return undecided
          const isKnown = !this.#looksBehind && b + 1 === this.#failedFrom[code[a + 3]!]
          if (point < 0 || isKnown || (set !== undefined && !set.has(point))) {
            this.#failLoop(code[a + 3]!, began, b)
            continue
          }
          at = b + (point > 0xffff ? 2 : 1)
          this.#push(lazyLoop, a, at, began)
          pc = a + 4
          break
        }
      }
    }
  }

  /** Of what was tried for a part, only what its groups were before stays on the stack. */
  #keepRestores(base: number): void {
    const stack = this.#stack
    let kept = base
    for (let from = base; from < this.#top; from += frame) {
      if (stack[from] !== restore) continue
      if (kept !== from) stack.copyWithin(kept, from, from + frame)
      kept += frame
    }
    this.#top = kept
  }

  #failLoop(loop: number, from: number, to: number): void {
    if (this.#looksBehind || !this.#canRemember) return
    const [knownFrom, knownTo] = [this.#failedFrom[loop]!, this.#failedTo[loop]!]
    // One stretch is enough: the next start is inside it or behind it.
    const touches = knownFrom >= 0 && from <= knownTo + 1 && to + 2 >= knownFrom
    this.#failedFrom[loop] = touches ? Math.min(from, knownFrom) : from
    this.#failedTo[loop] = touches ? Math.max(to, knownTo) : to
  }

  #hasFailed(split: number, at: number): boolean {
    const block = this.#failed.get((at >> 12) * this.#program.splits + split)
    return block !== undefined && (block[(at & 4095) >> 5]! & (1 << (at & 31))) !== 0
  }

  #fail(split: number, at: number): void {
    const key = (at >> 12) * this.#program.splits + split
    const block = this.#failed.get(key) ?? new Uint32Array(128)
    this.#failed.set(key, block)
    block[(at & 4095) >> 5]! |= 1 << (at & 31)
  }

  /** Whether an assertion holds; undefined if the text that follows decides. */
  #holds(index: number, at: number, isEnd: boolean): boolean | undefined {
    const text = this.#text
    const isLast = at >= text.length
    const what: PythonAssertion = this.#program.asserts[index]!
    switch (what) {
      case 'start':
        return at === 0 && this.#isStart
      case 'line-start':
        return at === 0 ? this.#isStart : text[at - 1] === '\n'
      case 'search-start':
        return at === this.#searchStart
      case 'very-end':
        return isLast ? (isEnd ? true : undefined) : false
      case 'line-end':
        return isLast ? (isEnd ? true : undefined) : text[at] === '\n'
      case 'end':
        if (isLast || (at === text.length - 1 && text[at] === '\n')) return isEnd ? true : undefined
        return false
      default: {
        if (isLast && !isEnd) return undefined
        const before = at > 0 && isWord.has(text.codePointAt(at - (isInPair(text, at - 1) ? 2 : 1))!)
        const after = !isLast && isWord.has(text.codePointAt(at)!)
        if (what === 'word-start') return !before && after
        if (what === 'word-end') return before && !after
        return (before !== after) === (what === 'border')
      }
    }
  }

  #looks(index: number, at: number, limit: number, isEnd: boolean): boolean | undefined {
    const { start, behind, negated, least, most } = this.#program.looks[index]!
    if (!behind) {
      const end = this.#run(start, at, limit, isEnd)
      return end === undecided ? undefined : (end === noMatch) === negated
    }
    const outer = this.#looksBehind
    this.#looksBehind = true
    let isFound = false
    for (let from = at - least; from >= Math.max(0, at - most) && !isFound; from--)
      isFound = !isInPair(this.#text, from) && this.#run(start, from, at, true) !== noMatch
    this.#looksBehind = outer
    return isFound !== negated
  }

  /** The end of what a group matched, repeated. */
  #repeats(index: number, at: number, limit: number, isEnd: boolean): number {
    const { group, ignoreCase } = this.#program.references[index]!
    const [start, end] = [this.slots[2 * group]!, this.slots[2 * group + 1]!]
    if (start < 0 || end < start) return noMatch
    const length = end - start
    const known = Math.min(length, limit - at)
    const text = this.#text
    if (ignoreCase) {
      this.#spend(length + 10)
      if (text.slice(start, start + known).toLowerCase() !== text.slice(at, at + known).toLowerCase()) return noMatch
    } else {
      let same = 0
      while (same < known && text.charCodeAt(start + same) === text.charCodeAt(at + same)) same++
      this.#spend(same >> 1)
      if (same < known) return noMatch
    }
    return known === length ? at + length : isEnd ? noMatch : undecided
  }
}

const frame = 5

function endOfRun(text: string, from: number, limit: number, set: PythonCharacters | undefined): number {
  if (set === undefined) return limit
  let end = from
  while (end < limit) {
    const unit = text.charCodeAt(end)
    if (unit < 128) {
      if (set.ascii[unit] === 0) break
      end++
      continue
    }
    const point = text.codePointAt(end)!
    if (!set.has(point)) break
    end += point > 0xffff ? 2 : 1
  }
  return end
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Whether a position is inside a surrogate pair. */
export function isInPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (!(unit >= 0xdc00 && unit <= 0xdfff) || at === 0) return false
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff
}
