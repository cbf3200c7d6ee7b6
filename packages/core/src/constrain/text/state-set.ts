import type { Automaton, CharacterSpelling } from './automaton.ts'
import { type CharacterSet, hasCharacter, meets } from './character-set.ts'

/** All states of an automaton that a text may be in. Equal sets are the same object. */
export type StateSet = {
  /** The edges that read the same characters in the same spelling, and the states they lead to. */
  readonly groups: readonly EdgeGroup[]
  /** Whether the text may end here. */
  readonly isEnd: boolean
  /** The successors, by the groups that read the next character. */
  readonly after: Map<string, StateSet>
}

type EdgeGroup = { readonly set: CharacterSet; readonly spelling: CharacterSpelling; readonly to: number[] }

/**
 * Simulates an automaton with sets of states, so that a text has one position however many ways there are to match it. `(.{0,50}){0,50}`
 * has thousands.
 */
export class StateSets {
  readonly #automaton: Automaton
  readonly #known = new Map<string, StateSet>()
  #states = 0
  readonly start: StateSet

  constructor(automaton: Automaton) {
    this.#automaton = automaton
    this.start = this.#after([automaton.start])
  }

  /** Cache limits: sets, and the states in them. */
  get size(): number {
    return this.#known.size + this.#states
  }

  /** The set after a character, plain or escaped; undefined if it is not allowed. */
  next(set: StateSet, code: number, isEscaped: boolean): StateSet | undefined {
    const { groups, after } = set
    const reading: number[] = []
    for (let index = 0; index < groups.length; index++) if (reads(groups[index]!, code, isEscaped)) reading.push(index)
    if (reading.length === 0) return undefined
    const key = reading.join()
    let found = after.get(key)
    if (!found) {
      found = this.#after(reading.flatMap((index) => groups[index]!.to))
      after.set(key, found)
    }
    return found
  }

  #after(states: readonly number[]): StateSet {
    const { states: all, isEnd } = this.#automaton.placeOfAll(states)
    const sorted = Uint32Array.from(all).sort()
    const key = `${isEnd}|${sorted.join()}`
    let found = this.#known.get(key)
    if (!found) {
      found = { groups: this.#groupsOf(sorted), isEnd, after: new Map() }
      this.#known.set(key, found)
      this.#states += sorted.length
    }
    return found
  }

  #groupsOf(states: Uint32Array): EdgeGroup[] {
    const groups = new Map<CharacterSet, EdgeGroup[]>()
    for (const state of states) {
      for (const { set, spelling, to } of this.#automaton.edges[state]!) {
        const alike = groups.get(set) ?? []
        groups.set(set, alike)
        const group = alike.find((one) => one.spelling === spelling)
        if (group) group.to.push(to)
        else alike.push({ set, spelling, to: [to] })
      }
    }
    return [...groups.values()].flat()
  }
}

/** Whether any character of a range of code points may come unescaped. The range must be above the characters that JSON escapes. */
export function mayCome({ groups }: StateSet, first: number, last: number): boolean {
  return groups.some(({ set }) => meets(set, first, last))
}

/** Whether a character that JSON escapes may come. */
export function mayComeEscaped({ groups }: StateSet, code: number): boolean {
  return groups.some(({ set, spelling }) => spelling === 'json' && hasCharacter(set, code))
}

function reads({ set, spelling }: EdgeGroup, code: number, isEscaped: boolean): boolean {
  if (spelling === 'json' ? isEscaped !== mustBeEscaped(code) : isEscaped) return false
  return hasCharacter(set, code)
}

/** Quotes, backslashes and control characters must be escaped in a JSON string. */
export function mustBeEscaped(code: number): boolean {
  return code < 0x20 || code === 0x22 || code === 0x5c
}
