/**
 * The longest common subsequence of two lists, as pairs of indexes; fast if they have the same start and end. If more than `most` pairs of
 * items lie between these, nothing there is aligned.
 *
 * @example
 * alignLists(['system', 'user'], ['user', 'assistant']) // => [[1, 0]]
 */
export function alignLists(
  first: readonly string[],
  second: readonly string[],
  { most = Number.POSITIVE_INFINITY }: { most?: number } = {},
): [first: number, second: number][] {
  // Most prompts have the same turns: skip the common prefix and suffix.
  let start = 0
  while (start < first.length && first[start] === second[start] && start < second.length) start++
  let end = 0
  while (end < Math.min(first.length, second.length) - start && first.at(-1 - end) === second.at(-1 - end)) end++
  const between = [first.slice(start, first.length - end), second.slice(start, second.length - end)] as const
  const inner = between[0].length * between[1].length > most ? [] : longestCommonSubsequence(...between)
  return [
    ...Array.from({ length: start }, (_, index): [number, number] => [index, index]),
    ...inner.map(([one, other]): [number, number] => [one + start, other + start]),
    ...Array.from({ length: end }, (_, index): [number, number] => [first.length - end + index, second.length - end + index]),
  ]
}

/** The longest common subsequence as pairs of indexes, in quadratic time and space. */
export function longestCommonSubsequence(first: readonly string[], second: readonly string[]): [first: number, second: number][] {
  const width = second.length + 1
  const lengths = new Uint32Array((first.length + 1) * width)
  for (let one = first.length - 1; one >= 0; one--) {
    for (let other = second.length - 1; other >= 0; other--) {
      lengths[one * width + other] =
        first[one] === second[other]
          ? lengths[(one + 1) * width + other + 1]! + 1
          : Math.max(lengths[(one + 1) * width + other]!, lengths[one * width + other + 1]!)
    }
  }
  const pairs: [number, number][] = []
  for (let one = 0, other = 0; one < first.length && other < second.length; ) {
    if (first[one] === second[other]) pairs.push([one++, other++])
    else if (lengths[(one + 1) * width + other]! >= lengths[one * width + other + 1]!) one++
    else other++
  }
  return pairs
}
