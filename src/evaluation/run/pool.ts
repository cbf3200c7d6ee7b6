import type { Chunks } from '../dataset/chunks.ts'

export type PoolOptions<Given, Result> = {
  given: Chunks<Given>
  /** How many are worked on at once. */
  atOnce: () => number
  /** Gets what is to be called when there may be room for more before anything has ended. */
  onRoom?: (look: () => void) => void
  work: (one: Given) => Result | Promise<Result>
  /** Gets each result as soon as it is there, with what it is the result of; what it returns is waited for before more is taken. */
  onResult: (result: Result, one: Given) => void | Promise<void>
}

/**
 * Works on several things at once and hands on the results as they come: one that takes long holds up nobody. What is given is
 * only taken when there is room. After a failure nothing more is started, and the failure is thrown when the rest is done.
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
