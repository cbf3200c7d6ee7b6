/** Works on several things with so many workers, each taking the next when it is done. The first failure ends it. */
export async function workOn<Given, Result>(
  given: readonly Given[],
  workers: number,
  work: (one: Given) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(given.length)
  let next = 0
  let hasFailed = false
  const worker = async () => {
    while (next < given.length && !hasFailed) {
      const index = next++
      try {
        results[index] = await work(given[index]!)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(workers, given.length)) }, worker))
  return results
}
