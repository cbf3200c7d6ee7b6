import type { Step } from './compile-program.ts'
import { UnsupportedPattern } from './parse-pattern.ts'
import type { StepBudget } from './step-budget.ts'

/** Classes of characters: those that no instruction of a program distinguishes. 0 is the start or the end of the text. */
const edge = 0
const mostClasses = 255
/** Transitions that are known; beyond, all are forgotten. A hostile pattern may need a new one for every character. */
const mostTransitions = 1 << 20

/** A set of threads between two characters, in order of preference. */
type State = { pcs: readonly number[]; before: number }

/**
 * A program as a deterministic automaton that is built while it is used: every character of a text costs a table lookup, whatever the
 * pattern. It finds the ends of matches, not their groups.
 */
export class LazyAutomaton {
  readonly #program: readonly Step[]
  readonly #tests: readonly ((character: string) => boolean)[]
  /** `everywhere`: a match may start at every position, and all are followed to their ends. */
  readonly #startsEverywhere: boolean
  readonly #masks: number
  readonly #looksBack: boolean
  readonly #endsBeforeNewline: boolean
  readonly #classOfUnit = new Uint8Array(1 << 16)
  readonly #classOfPoint = new Map<number, number>()
  readonly #classes = new Map<string, number>()
  /** A character of each class. */
  readonly #examples: string[] = ['']
  #newlineAtEnd = 0
  readonly #seen: Int32Array
  #round = 0
  /** Counts how often the states were forgotten. */
  #generation = 0
  #states: State[] = []
  #ids = new Map<string, number>()
  /** The states at the start of a match, by the class of the character before it; -1 if unknown. */
  readonly #begins = new Int32Array(mostClasses + 1)
  /** By state and symbol: twice the next state, plus one if a match ends before the symbol; -1 if unknown. */
  #table = new Int32Array(0)
  readonly #stride: number
  /** How many characters the last `end` has read. */
  steps = 0

  constructor(program: readonly Step[], { everywhere = false, farLooks = 0 } = {}) {
    this.#program = program
    this.#startsEverywhere = everywhere
    this.#masks = 1 << farLooks
    this.#stride = (mostClasses + 1) * this.#masks
    this.#tests = testsOf(program)
    this.#looksBack = program.some((step) => step.kind === 'assert' && step.looksBack)
    this.#endsBeforeNewline = program.some((step) => step.kind === 'assert' && step.needsLast)
    this.#seen = new Int32Array(program.length)
    this.#forget()
  }

  /** The end of the preferred match that starts at a position; -1 if none does. `far`: for every position, the far looks that hold there. */
  end(text: string, from: number, budget: StepBudget, far?: Uint8Array): number {
    const [units, stride, masks, endsBeforeNewline] = [this.#classOfUnit, this.#stride, this.#masks, this.#endsBeforeNewline]
    let state = this.#beginAfter(this.#looksBack ? this.#classBefore(text, from, budget) : edge)
    let table = this.#table
    let found = -1
    let at = from
    for (;;) {
      let kind = edge
      let width = 1
      if (at < text.length) {
        const unit = text.charCodeAt(at)
        kind = units[unit]!
        if (kind === 0 || (endsBeforeNewline && unit === 10)) {
          kind = this.#classAt(text, at, budget)
          if (isPair(text, at)) width = 2
        }
      }
      const symbol = masks === 1 ? kind : kind * masks + far![at]!
      let next = table[state * stride + symbol]!
      if (next < 0) {
        next = this.#follow(state, symbol, budget)
        table = this.#table
      }
      if (next & 1) found = at
      state = next >> 1
      if (state === 0 || at >= text.length) break
      at += width
    }
    this.steps = at - from + 1
    budget.take(this.steps)
    return found
  }

  /** The first position at which a match may start, by its first character alone. */
  nextStart(text: string, from: number, budget: StepBudget, far?: Uint8Array): number {
    if (this.#looksBack || this.#endsBeforeNewline) return from
    const [units, masks, table] = [this.#classOfUnit, this.#masks, this.#table]
    const row = this.#beginAfter(edge) * this.#stride
    if (table !== this.#table) return from
    let at = from
    for (; at < text.length; at++) {
      const kind = units[text.charCodeAt(at)]!
      // Neither a thread nor a match.
      if (kind === 0 || table[row + (masks === 1 ? kind : kind * masks + far![at]!)] !== 0) break
    }
    budget.take(at - from)
    return at
  }

  /**
   * For every position, whether a match ends there; only if matches start everywhere. `isBackwards`: the text is read from its end, by a
   * program of the reversed pattern.
   */
  ends(text: string, isBackwards: boolean, budget: StepBudget, far?: Uint8Array): Uint8Array {
    const found = new Uint8Array(text.length + 1)
    const [units, stride, masks, last] = [this.#classOfUnit, this.#stride, this.#masks, isBackwards ? 0 : text.length]
    let table = this.#table
    let state = this.#beginAfter(edge)
    for (let at = isBackwards ? text.length : 0; ; ) {
      let kind = edge
      let width = 1
      if (at !== last) {
        const unit = text.charCodeAt(isBackwards ? at - 1 : at)
        kind = units[unit]!
        if (kind === 0 || unit === 10) {
          if (isPair(text, isBackwards ? at - 2 : at)) width = 2
          kind = this.#classAt(text, isBackwards ? at - width : at, budget)
        }
      }
      const symbol = masks === 1 ? kind : kind * masks + far![at]!
      let next = table[state * stride + symbol]!
      if (next < 0) {
        next = this.#follow(state, symbol, budget)
        table = this.#table
      }
      found[at] = next & 1
      if (at === last) break
      state = next >> 1
      at += isBackwards ? -width : width
    }
    budget.take(2 * text.length + 1)
    return found
  }

  #beginAfter(before: number): number {
    const known = this.#begins[before]!
    if (known >= 0) return known
    const made = this.#stateOf([0], before)
    this.#begins[before] = made
    return made
  }

  #classBefore(text: string, at: number, budget: StepBudget): number {
    if (at === 0) return edge
    return this.#classAt(text, isPair(text, at - 2) ? at - 2 : at - 1, budget)
  }

  #classAt(text: string, at: number, budget: StepBudget): number {
    const point = text.codePointAt(at)!
    if (this.#endsBeforeNewline && point === 10 && at === text.length - 1) {
      this.#newlineAtEnd ||= this.#newClass('\n', 'the newline that ends the text')
      return this.#newlineAtEnd
    }
    // The halves of a pair are no characters, unless they stand alone.
    const isUnit = point < 0xd800 || (point > 0xdfff && point < 1 << 16)
    const known = isUnit ? this.#classOfUnit[point] : this.#classOfPoint.get(point)
    if (known) return known
    budget.take(this.#tests.length)
    const character = String.fromCodePoint(point)
    let signature = ''
    for (const test of this.#tests) signature += test(character) ? '1' : '0'
    const found = this.#classes.get(signature) ?? this.#newClass(character, signature)
    if (isUnit) this.#classOfUnit[point] = found
    else this.#classOfPoint.set(point, found)
    return found
  }

  #newClass(character: string, signature: string): number {
    const made = this.#examples.push(character) - 1
    if (made > mostClasses) throw new UnsupportedPattern('it distinguishes too many kinds of characters')
    this.#classes.set(signature, made)
    return made
  }

  #forget(): void {
    this.#generation++
    // State 0 has no threads.
    this.#states = [{ pcs: [], before: edge }]
    this.#ids = new Map()
    this.#begins.fill(-1)
    this.#table = new Int32Array(this.#stride * 4).fill(-1)
  }

  #stateOf(pcs: readonly number[], before: number): number {
    if (pcs.length === 0 && !this.#startsEverywhere) return 0
    const key = `${before};${pcs.join()}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    if ((this.#states.length + 1) * this.#stride > mostTransitions) this.#forget()
    const made = this.#states.push({ pcs, before }) - 1
    this.#ids.set(key, made)
    if ((made + 1) * this.#stride > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2).fill(-1)
      larger.set(this.#table)
      this.#table = larger
    }
    return made
  }

  /** Computes a transition. */
  #follow(from: number, symbol: number, budget: StepBudget): number {
    const { pcs, before } = this.#states[from]!
    const [kind, mask] = [Math.floor(symbol / this.#masks), symbol % this.#masks]
    const place: Place = {
      before: before === edge ? undefined : this.#examples[before],
      after: kind === edge ? undefined : this.#examples[kind],
      isLast: kind !== edge && kind === this.#newlineAtEnd,
      mask,
    }
    const { moved, isMatch, steps } = this.#step(this.#startsEverywhere && !pcs.includes(0) ? [...pcs, 0] : pcs, place)
    budget.take(steps)
    const generation = this.#generation
    const next = this.#stateOf(moved, this.#looksBack && (moved.length > 0 || this.#startsEverywhere) ? kind : edge)
    const transition = 2 * next + Number(isMatch)
    if (this.#generation === generation) this.#table[from * this.#stride + symbol] = transition
    return transition
  }

  /** Follows threads to the instructions that read a character, in order of preference, and past it. */
  #step(pcs: readonly number[], { before, after, isLast, mask }: Place): { moved: readonly number[]; isMatch: boolean; steps: number } {
    const moved = new Set<number>()
    const round = ++this.#round
    let steps = 8
    const open = [...pcs].reverse()
    let isMatch = false
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#seen[at] === round) continue
      this.#seen[at] = round
      steps++
      const step = this.#program[at]!
      switch (step.kind) {
        case 'jump':
          open.push(step.to)
          break
        case 'fork':
          open.push(step.second, step.first)
          break
        case 'mark':
          open.push(at + 1)
          break
        case 'assert':
          if (step.holds(before, after, isLast)) open.push(at + 1)
          break
        case 'far-look':
          if (((mask >> step.number) & 1) === (step.negated ? 0 : 1)) open.push(at + 1)
          break
        case 'character':
          if (after !== undefined && step.test(after)) moved.add(at + 1)
          break
        case 'match':
          isMatch = true
          // Threads of lower preference are not followed.
          if (!this.#startsEverywhere) return { moved: [...moved], isMatch, steps }
      }
    }
    return { moved: [...moved], isMatch, steps }
  }
}

/** Whether a pair of surrogates starts at a position. */
export function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff
}

type Place = { before: string | undefined; after: string | undefined; isLast: boolean; mask: number }

/** What a program asks of single characters. */
function testsOf(program: readonly Step[]): ((character: string) => boolean)[] {
  const tests = new Set<(character: string) => boolean>()
  for (const step of program) {
    if (step.kind === 'character') tests.add(step.test)
    if (step.kind === 'assert' && step.test) tests.add(step.test)
  }
  return [...tests]
}
