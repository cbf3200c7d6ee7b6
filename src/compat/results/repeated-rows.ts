/**
 * Collects the replies of rows that were answered several times, in the order of their repeats: a row is yielded when it has all of
 * `count`. Rows that lack some come last.
 *
 * @example
 * [...repeatedRows(['a2', 'b1', 'a1'], 2, ([id]) => id!, ([, repeat]) => Number(repeat))] // => [['a1', 'a2'], ['b1']]
 */
export function* repeatedRows<Item>(
  items: Iterable<Item>,
  count: number,
  idOf: (item: Item) => string,
  repeatOf: (item: Item) => number,
): Generator<Item[]> {
  const waiting = new Map<string, Item[]>()
  const inOrder = (group: Item[]) => group.sort((one, other) => repeatOf(one) - repeatOf(other))
  for (const item of items) {
    const id = idOf(item)
    const group = waiting.get(id) ?? []
    group.push(item)
    if (group.length < count) waiting.set(id, group)
    else {
      waiting.delete(id)
      yield inOrder(group)
    }
  }
  for (const group of waiting.values()) yield inOrder(group)
}
