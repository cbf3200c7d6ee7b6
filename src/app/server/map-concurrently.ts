export type WorkOptions = {
  /** How many are worked on at once. */
  workers: number
  /** Ends the work. */
  signal: AbortSignal
}

/** Works on several things with so many workers, each taking the next when it is done. The first failure ends the others, too. */
export async function workOn<Given, Result>(
  given: readonly Given[],
  { workers, signal }: WorkOptions,
  work: (one: Given, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(given.length)
  const together = new AbortController()
  const leave = () => together.abort(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  let next = 0
  const worker = async () => {
    while (next < given.length) {
      together.signal.throwIfAborted()
      const index = next++
      results[index] = await work(given[index]!, together.signal)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(workers, given.length)) }, worker))
    return results
  } catch (error) {
    together.abort(error)
    throw error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
