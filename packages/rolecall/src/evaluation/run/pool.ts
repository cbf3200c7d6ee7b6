import type { Chunks } from '../dataset/chunks.ts'

export type PoolOptions<Given, Result> = {
  given: Chunks<Given>
  /** The current concurrency limit. */
  atOnce: () => number
  /** Registers a callback for when the limit may have grown before anything has finished. */
  onRoom?: (look: () => void) => void
  work: (one: Given) => Result | Promise<Result>
  /** Receives each result as soon as it is available, with its input; its promise is awaited before more is taken. */
  onResult: (result: Result, one: Given) => void | Promise<void>
}

/**
 * Processes items concurrently and reports results as they complete, so that a slow item blocks no others. Items are
 * taken only when a slot is free. After a failure nothing more starts, and the failure is thrown when the rest has finished.
 */
export async function pool<Given, Result>({ given, atOnce, onRoom, work, onResult }: PoolOptions<Given, Result>): Promise<void> {
  let running = 0
  let [failed, failure]: [boolean, unknown] = [false, undefined]
  const held: Promise<void>[] = []
  let wake: (() => void) | undefined

  const fail = (error: unknown) => {
    if (!failed) failure = error
    failed = true
  }
  const take = (result: Result, one: Given) => {
    try {
      const wait = onResult(result, one)
      if (wait) held.push(wait.catch(fail))
    } catch (error) {
      fail(error)
    }
  }
  const end = () => {
    running--
    wake?.()
  }
  const start = (one: Given) => {
    let result: Result | Promise<Result>
    try {
      result = work(one)
    } catch (error) {
      fail(error)
      return
    }
    if (!(result instanceof Promise)) {
      take(result, one)
      return
    }
    running++
    result.then(
      (found) => {
        take(found, one)
        end()
      },
      (error) => {
        fail(error)
        end()
      },
    )
  }
  const oneEnds = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  const startAll = async () => {
    for await (const stretch of given) {
      for (const one of stretch) {
        start(one)
        while (held.length > 0) await held.shift()
        while (!failed && running >= atOnce()) await oneEnds()
        if (failed) return
      }
    }
  }

  onRoom?.(() => wake?.())
  try {
    await startAll()
  } catch (error) {
    fail(error)
  }
  while (running > 0) await oneEnds()
  while (held.length > 0) await held.shift()
  if (failed) throw failure
}
