import type { Feature } from './generate-conversations.ts'

/** Items with common features. */
export type Group<Item> = { features: readonly Feature[]; items: readonly Item[] }

type Marked<Item> = { item: Item; features: readonly Feature[]; is: boolean }

/**
 * Finds the features that characterise the marked items: one, or up to three together, that only marked items have. The rest form a
 * last group without features.
 */
export function groupByFeatures<Item>(given: readonly Marked<Item>[]): Group<Item>[] {
  let left = given.filter(({ is }) => is)
  if (left.length === 0) return []
  const groups: Group<Item>[] = []
  for (const candidate of candidatesOf(left, given)) {
    const found = left.filter(({ features }) => candidate.every((feature) => features.includes(feature)))
    if (found.length === 0) continue
    groups.push({ features: candidate, items: found.map(({ item }) => item) })
    left = left.filter((each) => !found.includes(each))
  }
  return left.length === 0 ? groups : [...groups, { features: [], items: left.map(({ item }) => item) }]
}

/** Feature sets that only marked items have, smallest first, then by coverage. */
function candidatesOf<Item>(marked: readonly Marked<Item>[], all: readonly Marked<Item>[]): Feature[][] {
  const names = [...new Set(marked.flatMap(({ features }) => features))]
  const sets = [
    ...names.map((name) => [name]),
    ...names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other])),
    ...names.flatMap((one, index) =>
      names.slice(index + 1).flatMap((other, next) => names.slice(index + next + 2).map((third) => [one, other, third])),
    ),
  ]
  const has = ({ features }: Marked<Item>, set: readonly Feature[]) => set.every((feature) => features.includes(feature))
  return sets
    .map((set) => ({ set, count: marked.filter((each) => has(each, set)).length }))
    .filter(({ set, count }) => count > 0 && all.every((each) => each.is || !has(each, set)))
    .toSorted((one, other) => one.set.length - other.set.length || other.count - one.count)
    .map(({ set }) => set)
}
