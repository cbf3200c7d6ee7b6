/** Things that come in chunks, each of which is there at once: to wait for every single one takes longer than to make it. */
export type Chunks<Item> = AsyncIterable<Iterable<Item>>

export async function* oneByOne<Item>(chunks: Chunks<Item>): AsyncGenerator<Item> {
  for await (const chunk of chunks) yield* chunk
}
