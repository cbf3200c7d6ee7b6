/** Items that arrive in chunks, since awaiting each one would take longer than producing it. */
export type Chunks<Item> = AsyncIterable<Iterable<Item>>

export async function* oneByOne<Item>(chunks: Chunks<Item>): AsyncGenerator<Item> {
  for await (const chunk of chunks) yield* chunk
}
