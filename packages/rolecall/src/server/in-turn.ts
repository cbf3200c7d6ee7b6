import { ApiError } from './api-error.ts'
import type { ServedModel } from './served-model.ts'
import type { ServerContext } from './server-context.ts'

/** The longest delay of a timer, 24 days. */
const maxTimeout = 2 ** 31 - 1

/**
 * Runs work of a model when the client's turn comes. The work is aborted when the client disconnects or the time of a reply runs out; it then
 * fails with the reason.
 */
export function inTurn<Result>(
  { limits: { seconds }, client }: Pick<ServerContext, 'limits' | 'client'>,
  { queue }: ServedModel,
  disconnected: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return queue.run(() => withDeadline(disconnected, seconds, work), disconnected, client)
}

async function withDeadline<Result>(client: AbortSignal, seconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
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
