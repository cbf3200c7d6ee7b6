/** The items of an async iterable; Node 20 has no `Array.fromAsync`. */
export async function itemsOf<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of source) items.push(item)
  return items
}
