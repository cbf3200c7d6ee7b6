import { ApiError } from './api-error.ts'

/** The longest delay of a timer, 24 days. */
const maxTimeout = 2 ** 31 - 1

/** Runs work that is aborted when the client disconnects or time runs out; it then fails with the reason. */
export async function withDeadline<Result>(
  client: AbortSignal,
  seconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController()
  const timer = setTimeout(
    () =>
      deadline.abort(
        new ApiError(504, { message: `the reply took longer than ${seconds} seconds`, type: 'timeout_error', code: 'generation_timeout' }),
      ),
    Math.min(seconds * 1000, maxTimeout),
  )
  const signal = AbortSignal.any([client, deadline.signal])
  try {
    const result = await work(signal)
    // An aborted model returns a partial reply, which would look complete.
    signal.throwIfAborted()
    return result
  } finally {
    clearTimeout(timer)
  }
}
