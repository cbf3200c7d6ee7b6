import { limits } from '../../base/errors/limits.ts'
import type { WorkBudget } from '../work-budget.ts'
import type { CharacterSet } from './character-set.ts'

/** How a character is written: plain, or as in a JSON string, where quotes, backslashes and control characters are escaped. */
export type CharacterSpelling = 'plain' | 'json'

/** Reads one character of a set and continues at another state. */
export type Edge = { readonly set: CharacterSet; readonly spelling: CharacterSpelling; readonly to: number }

/** The states that read something, and whether the text may end here. */
export type AutomatonPlace = { readonly states: readonly number[]; readonly isEnd: boolean }

/** A text or a pattern is too large to be enforced. */
export class TooLarge extends Error {}

/**
 * A nondeterministic finite automaton over characters. Every state can reach the end, so that an accepted prefix can always be completed.
 */
export class Automaton {
  readonly start: number
  readonly end: number
  readonly edges: readonly (readonly Edge[])[]
  /** The states reachable from each state without reading anything. */
  readonly jumps: readonly (readonly number[])[]
  readonly #places: (AutomatonPlace | undefined)[] = []

  constructor(start: number, end: number, edges: readonly (readonly Edge[])[], jumps: readonly (readonly number[])[]) {
    this.start = start
    this.end = end
    this.edges = edges
    this.jumps = jumps
  }

  /** Whether no text fits. */
  get isEmpty(): boolean {
    const { states, isEnd } = this.place(this.start)
    return states.length === 0 && !isEnd
  }

  /** The closure of a state: the states reachable without reading anything. */
  place(state: number): AutomatonPlace {
    let found = this.#places[state]
    if (!found) this.#places[state] = found = this.placeOfAll([state])
    return found
  }

  /** The closure of several states. It takes no longer than that of one: shared successors are followed once. */
  placeOfAll(states: Iterable<number>): AutomatonPlace {
    const seen = new Set(states)
    for (const state of seen) for (const to of this.jumps[state]!) seen.add(to)
    return { states: [...seen].filter((state) => this.edges[state]!.length > 0), isEnd: seen.has(this.end) }
  }
}

/** Larger automata are refused: schemas come from requests. */
const mostStates = limits.constraintStates

/** Builds an automaton state by state. */
export class AutomatonBuilder {
  readonly #edges: Edge[][] = []
  readonly #jumps: number[][] = []
  readonly #budget: WorkBudget

  constructor(budget: WorkBudget) {
    this.#budget = budget
  }

  state(): number {
    this.#budget.charge(1)
    if (this.#edges.length >= mostStates) throw new TooLarge(`it needs more than ${mostStates} states`)
    this.#jumps.push([])
    return this.#edges.push([]) - 1
  }

  edge(from: number, set: CharacterSet, to: number, spelling: CharacterSpelling = 'plain'): void {
    this.#budget.charge(1)
    if (set.ranges.length > 0) this.#edges[from]!.push({ set, spelling, to })
  }

  /** Continues at another state without reading anything. */
  jump(from: number, to: number): void {
    this.#budget.charge(1)
    this.#jumps[from]!.push(to)
  }

  /** The automaton from one state to another, without dead states. */
  finish(start: number, end: number): Automaton {
    const lives = this.#leadingTo(end)
    const edges = this.#edges.map((some) => some.filter(({ to }) => lives.has(to)))
    const jumps = this.#jumps.map((some) => some.filter((to) => lives.has(to)))
    return new Automaton(start, end, edges, jumps)
  }

  #leadingTo(end: number): Set<number> {
    const before: number[][] = this.#edges.map(() => [])
    for (const [from, edges] of this.#edges.entries()) for (const { to } of edges) before[to]!.push(from)
    for (const [from, jumps] of this.#jumps.entries()) for (const to of jumps) before[to]!.push(from)
    const lives = new Set([end])
    for (const state of lives) for (const from of before[state]!) lives.add(from)
    return lives
  }
}
