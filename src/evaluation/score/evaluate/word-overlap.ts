/** The harmonic mean of precision and recall of what two lists have in common, each item as often as it occurs. */
export function overlapF1<Item>(said: readonly Item[], right: readonly Item[]): number {
  const same = commonCount(said, right)
  if (same === 0) return 0
  const [precision, recall] = [same / said.length, same / right.length]
  return (2 * precision * recall) / (precision + recall)
}

/** How many items two lists have in common, each as often as it occurs in both. */
export function commonCount<Item>(said: readonly Item[], right: readonly Item[]): number {
  const left = new Map<Item, number>()
  for (const item of right) left.set(item, (left.get(item) ?? 0) + 1)
  let same = 0
  for (const item of said) {
    const count = left.get(item) ?? 0
    if (count === 0) continue
    same++
    left.set(item, count - 1)
  }
  return same
}
