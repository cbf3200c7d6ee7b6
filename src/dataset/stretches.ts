/** Things that come in stretches, each of which is there at once: to wait for every single one takes longer than to make it. */
export type Stretches<Item> = AsyncIterable<Iterable<Item>>

export async function* oneByOne<Item>(stretches: Stretches<Item>): AsyncGenerator<Item> {
  for await (const stretch of stretches) yield* stretch
}
