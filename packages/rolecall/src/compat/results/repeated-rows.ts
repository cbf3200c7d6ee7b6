/** The replies of a row in the order of their repeats; `place`: how many other rows begin before it. */
export type RepeatedRow<Item> = { place: number; group: Item[] }

/**
 * Collects the replies of rows that were answered several times: a row is yielded when it has all of `count`. Rows that lack some come
 * last.
 *
 * @example
 * const rows = repeatedRows(['a2', 'b1', 'a1'], 2, ([id]) => id!, ([, repeat]) => Number(repeat))
 * Array.from(rows, ({ group }) => group) // => [['a1', 'a2'], ['b1']]
 */
export function* repeatedRows<Item>(
  items: Iterable<Item>,
  count: number,
  idOf: (item: Item) => string,
  repeatOf: (item: Item) => number,
): Generator<RepeatedRow<Item>> {
  const waiting = new Map<string, RepeatedRow<Item>>()
  let rows = 0
  const inOrder = ({ place, group }: RepeatedRow<Item>) => ({ place, group: group.sort((one, other) => repeatOf(one) - repeatOf(other)) })
  for (const item of items) {
    const id = idOf(item)
    const row = waiting.get(id) ?? { place: rows++, group: [] }
    row.group.push(item)
    if (row.group.length < count) waiting.set(id, row)
    else {
      waiting.delete(id)
      yield inOrder(row)
    }
  }
  for (const row of waiting.values()) yield inOrder(row)
}
