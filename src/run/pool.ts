/**
 * Works on several things at once and gives the results as they come: one that takes long holds up nobody. What is given is
 * only taken when there is room. After a failure nothing more is started, and the failure is thrown when the rest is done.
 */
export async function* pool<Given, Result>(
  given: AsyncIterable<Given>,
  atOnce: () => number,
  work: (one: Given) => Result | Promise<Result>,
): AsyncGenerator<Result> {
  const done: Result[] = []
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  let wake = () => {}

  const start = (one: Given) => {
    let result: Result | Promise<Result>
    try {
      result = work(one)
    } catch (error) {
      failures.push(error)
      return
    }
    if (!(result instanceof Promise)) {
      done.push(result)
      return
    }
    const watched = result
      .then(
        (found) => void done.push(found),
        (error) => void failures.push(error),
      )
      .then(() => {
        running.delete(watched)
        wake()
      })
    running.add(watched)
  }
  const oneDone = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  try {
    for await (const one of given) {
      start(one)
      while (done.length > 0) yield done.shift()!
      while (failures.length === 0 && running.size >= atOnce()) {
        await oneDone()
        while (done.length > 0) yield done.shift()!
      }
      if (failures.length > 0) break
    }
    while (running.size > 0) {
      await oneDone()
      while (done.length > 0) yield done.shift()!
    }
    while (done.length > 0) yield done.shift()!
  } finally {
    await Promise.all(running)
  }
  if (failures.length > 0) throw failures[0]
}
