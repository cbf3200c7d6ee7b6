import type { WorkBudget } from '../work-budget.ts'
import { type Automaton, AutomatonBuilder, type CharacterSpelling } from './automaton.ts'
import { type CharacterSet, complement, everyCharacter, intersection, setOf } from './character-set.ts'

/** The texts that an automaton does not accept; by default as the content of a JSON string. */
export function otherThan(automaton: Automaton, budget: WorkBudget, spelling: CharacterSpelling = 'json'): Automaton {
  const builder = new AutomatonBuilder(budget)
  const [end, free] = [builder.state(), builder.state()]
  builder.edge(free, everyCharacter, free, spelling)
  builder.jump(free, end)
  const known = new Map<string, number>()
  const open: { states: readonly number[]; at: number }[] = []
  const stateOf = (states: readonly number[]): number => {
    const { states: all, isEnd } = automaton.placeOfAll(states)
    budget.charge(1 + all.length)
    const sorted = [...all].sort((one, other) => one - other)
    const key = `${isEnd} ${sorted.join()}`
    const found = known.get(key)
    if (found !== undefined) return found
    const at = builder.state()
    known.set(key, at)
    if (!isEnd) builder.jump(at, end)
    open.push({ states: sorted, at })
    return at
  }
  const start = stateOf([automaton.start])
  for (let next = open.pop(); next; next = open.pop()) {
    const edges = next.states.flatMap((state) => automaton.edges[state]!)
    let rest = everyCharacter
    for (const { set, to } of disjoint(edges, budget)) {
      builder.edge(next.at, set, stateOf(to), spelling)
      rest = intersection(rest, complement(set))
    }
    // No way of the automaton reads these: whatever follows, the text is another.
    builder.edge(next.at, rest, free, spelling)
  }
  return builder.finish(start, end)
}

type Reading = { set: CharacterSet; to: number[] }

/** The characters that the same edges read, and where they lead. */
function disjoint(edges: readonly { set: CharacterSet; to: number }[], budget: WorkBudget): Reading[] {
  const limits = new Set<number>()
  for (const { set } of edges) {
    budget.charge(set.ranges.length)
    for (let index = 0; index < set.ranges.length; index += 2) {
      limits.add(set.ranges[index]!)
      limits.add(set.ranges[index + 1]! + 1)
    }
  }
  const sorted = [...limits].sort((one, other) => one - other)
  const byTargets = new Map<string, { ranges: [number, number][]; to: number[] }>()
  const cursors = edges.map(() => 0)
  for (let index = 0; index + 1 < sorted.length; index++) {
    const [first, last] = [sorted[index]!, sorted[index + 1]! - 1]
    budget.charge(edges.length)
    const to = new Set<number>()
    for (const [at, { set, to: target }] of edges.entries()) {
      const { ranges } = set
      while (cursors[at]! < ranges.length && ranges[cursors[at]! + 1]! < first) cursors[at]! += 2
      if (cursors[at]! < ranges.length && ranges[cursors[at]!]! <= first) to.add(target)
    }
    if (to.size === 0) continue
    const key = [...to].sort((one, other) => one - other).join()
    const same = byTargets.get(key) ?? { ranges: [], to: [...to] }
    byTargets.set(key, same)
    const before = same.ranges.at(-1)
    if (before && before[1] + 1 === first) before[1] = last
    else same.ranges.push([first, last])
  }
  return [...byTargets.values()].map(({ ranges, to }) => ({ set: setOf(...ranges), to }))
}
