import { ApiError } from './api-error.ts'

/** What timers can count, some weeks. */
const longestTimer = 2 ** 31 - 1

/** Does work that ends when the client goes, or after so many seconds; then it fails with the reason. */
export async function withDeadline<Result>(
  client: AbortSignal,
  seconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const leave = () => controller.abort(client.reason)
  const timer = setTimeout(
    () => {
      controller.abort(
        new ApiError(504, { message: `the reply took longer than ${seconds} seconds`, type: 'timeout_error', code: 'generation_timeout' }),
      )
    },
    Math.min(seconds * 1000, longestTimer),
  )
  if (client.aborted) leave()
  client.addEventListener('abort', leave, { once: true })
  try {
    const result = await work(controller.signal)
    // A model that is stopped hands back what it has, which would look like a whole answer.
    controller.signal.throwIfAborted()
    return result
  } finally {
    clearTimeout(timer)
    client.removeEventListener('abort', leave)
  }
}
