/**
 * The longest common subsequence of two lists, as pairs of indexes.
 *
 * @example
 * alignLists(['system', 'user'], ['user', 'assistant']) // => [[1, 0]]
 */
export function alignLists(first: readonly string[], second: readonly string[]): [first: number, second: number][] {
  // Most prompts have the same turns: skip the common prefix and suffix.
  let start = 0
  while (start < first.length && first[start] === second[start] && start < second.length) start++
  let end = 0
  while (end < Math.min(first.length, second.length) - start && first.at(-1 - end) === second.at(-1 - end)) end++
  const inner = middle(first.slice(start, first.length - end), second.slice(start, second.length - end))
  return [
    ...Array.from({ length: start }, (_, index): [number, number] => [index, index]),
    ...inner.map(([one, other]): [number, number] => [one + start, other + start]),
    ...Array.from({ length: end }, (_, index): [number, number] => [first.length - end + index, second.length - end + index]),
  ]
}

function middle(first: readonly string[], second: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: first.length + 1 }, () => new Array<number>(second.length + 1).fill(0))
  for (let one = first.length - 1; one >= 0; one--)
    for (let other = second.length - 1; other >= 0; other--)
      lengths[one]![other] =
        first[one] === second[other] ? 1 + lengths[one + 1]![other + 1]! : Math.max(lengths[one + 1]![other]!, lengths[one]![other + 1]!)
  const pairs: [number, number][] = []
  for (let one = 0, other = 0; one < first.length && other < second.length; ) {
    if (first[one] === second[other]) pairs.push([one++, other++])
    else if (lengths[one + 1]![other]! >= lengths[one]![other + 1]!) one++
    else other++
  }
  return pairs
}
