import type { WorkBudget } from '../work-budget.ts'
import { type Automaton, AutomatonBuilder, TooLarge } from './automaton.ts'
import { type CharacterSet, complement, everyCharacter, intersection, oneCharacter, setOf } from './character-set.ts'

/** The automaton of a choice of texts, written unescaped. */
export function textsAutomaton(texts: readonly string[], budget: WorkBudget): Automaton {
  const builder = new AutomatonBuilder(budget)
  const [start, end] = [builder.state(), builder.state()]
  // Texts share the states of common prefixes, so that a choice among thousands is small.
  const known = new Map<string, number>()
  for (const text of texts) {
    let at = start
    const characters = Array.from(text)
    for (const [index, character] of characters.entries()) {
      const key = `${at}:${character}`
      const next = known.get(key) ?? builder.state()
      if (!known.has(key)) builder.edge(at, oneCharacter(character), next)
      known.set(key, next)
      at = next
      if (index === characters.length - 1) builder.jump(at, end)
    }
    if (characters.length === 0) builder.jump(start, end)
  }
  return builder.finish(start, end)
}

/** A minimum to maximum number of arbitrary characters, as the content of a JSON string. */
export function lengthAutomaton(least: number, most: number, budget: WorkBudget): Automaton {
  const builder = new AutomatonBuilder(budget)
  const end = builder.state()
  const start = builder.state()
  let at = start
  for (let count = 0; count < least; count++) at = anyCharacter(builder, at)
  builder.jump(at, end)
  if (most === Number.POSITIVE_INFINITY) builder.edge(at, everyCharacter, at, 'json')
  else {
    for (let count = least; count < most; count++) {
      at = anyCharacter(builder, at)
      builder.jump(at, end)
    }
  }
  return builder.finish(start, end)
}

function anyCharacter(builder: AutomatonBuilder, from: number): number {
  const to = builder.state()
  builder.edge(from, everyCharacter, to, 'json')
  return to
}

/** Limit on the pairs of states in an intersection. */
const mostCompared = 500_000

/** The intersection of two automata with the same spelling of characters. */
export function both(a: Automaton, b: Automaton, budget: WorkBudget): Automaton {
  const builder = new AutomatonBuilder(budget)
  const end = builder.state()
  const known = new Map<string, number>()
  const open: { one: number; other: number; state: number }[] = []
  const stateOf = (one: number, other: number): number => {
    const key = `${one}:${other}`
    const found = known.get(key)
    if (found !== undefined) return found
    const state = builder.state()
    known.set(key, state)
    open.push({ one, other, state })
    return state
  }
  const start = stateOf(a.start, b.start)
  let compared = 0
  // Patterns use few character sets, in many places.
  const common = new Map<CharacterSet, Map<CharacterSet, CharacterSet>>()
  const commonOf = (one: CharacterSet, other: CharacterSet): CharacterSet => {
    const row = common.get(one) ?? new Map<CharacterSet, CharacterSet>()
    common.set(one, row)
    const found = row.get(other) ?? intersection(one, other)
    row.set(other, found)
    return found
  }
  for (let next = open.pop(); next; next = open.pop()) {
    const [here, there] = [a.place(next.one), b.place(next.other)]
    if (here.isEnd && there.isEnd) builder.jump(next.state, end)
    budget.charge(here.states.length + there.states.length)
    compared += here.states.length * there.states.length + here.states.length + there.states.length
    if (compared > mostCompared) throw new TooLarge('what it says together with the other limits of the text takes too long to find out')
    for (const one of here.states) {
      for (const other of there.states) {
        for (const edge of a.edges[one]!) {
          for (const edgeThere of b.edges[other]!) {
            const set = commonOf(edge.set, edgeThere.set)
            if (set.ranges.length > 0) builder.edge(next.state, set, stateOf(edge.to, edgeThere.to), edge.spelling)
          }
        }
      }
    }
  }
  return builder.finish(start, end)
}

/** A JSON string whose content fits an automaton. */
export function quoted(content: Automaton, budget: WorkBudget): Automaton {
  const builder = new AutomatonBuilder(budget)
  const states = content.edges.map(() => builder.state())
  const [start, last, end] = [builder.state(), builder.state(), builder.state()]
  builder.edge(start, quote, states[content.start]!)
  builder.edge(last, quote, end)
  builder.jump(states[content.end]!, last)
  for (const [from, edges] of content.edges.entries()) {
    for (const to of content.jumps[from]!) builder.jump(states[from]!, states[to]!)
    for (const { set, to, spelling } of edges) builder.edge(states[from]!, set, states[to]!, spelling)
  }
  return builder.finish(start, end)
}

const quote = oneCharacter('"')

/** The content of a JSON string that differs from all of the given texts. */
export function otherTexts(texts: readonly string[], budget: WorkBudget): Automaton {
  const builder = new AutomatonBuilder(budget)
  const [free, end] = [builder.state(), builder.state()]
  builder.edge(free, everyCharacter, free, 'json')
  builder.jump(free, end)
  const root: Branch = { state: builder.state(), next: new Map(), isText: false }
  for (const text of texts) {
    let at = root
    for (const character of text) {
      const code = character.codePointAt(0)!
      const next: Branch = at.next.get(code) ?? { state: builder.state(), next: new Map(), isText: false }
      at.next.set(code, next)
      at = next
    }
    at.isText = true
  }
  const open = [root]
  for (let branch = open.pop(); branch; branch = open.pop()) {
    if (!branch.isText) builder.jump(branch.state, end)
    const codes = [...branch.next.keys()].sort((one, other) => one - other)
    builder.edge(branch.state, complement(setOf(...codes.map((code) => [code, code] as const))), free, 'json')
    for (const [code, next] of branch.next) {
      builder.edge(branch.state, setOf([code, code]), next.state, 'json')
      open.push(next)
    }
  }
  return builder.finish(root.state, end)
}

type Branch = { state: number; next: Map<number, Branch>; isText: boolean }
