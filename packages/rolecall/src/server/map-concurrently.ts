export type ConcurrencyOptions = { concurrency: number; signal: AbortSignal }

/** Maps items with limited concurrency. The first failure aborts the others. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  { concurrency, signal }: ConcurrencyOptions,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length)
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      either.throwIfAborted()
      const index = next++
      results[index] = await work(items[index]!, either)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, worker))
    return results
  } catch (error) {
    failure.abort(error)
    throw error
  }
}
