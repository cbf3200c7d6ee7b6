import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { ApiError } from '../src/app/server/api-error.ts'

// For tests only: a server that fails as real ones do. No command and no option of the server reaches it.

/** What a server does instead of answering. */
export type Fault =
  /** An error with its status; `retryAfter` in seconds, or a date. */
  | { kind: 'status'; status: number; retryAfter?: number | string; message?: string }
  /** Status 200 and a body that is not JSON. */
  | { kind: 'garbage'; body?: string }
  /** Status 200 and JSON that says something else: `{"object": "error"}`. */
  | { kind: 'nonsense'; body?: unknown }
  /** The answer, of which only so many bytes arrive before the connection breaks. */
  | { kind: 'cut'; after: number }
  /** The connection breaks without an answer. */
  | { kind: 'reset' }
  /** No answer, ever. */
  | { kind: 'silence' }
  /** The answer, but late. */
  | { kind: 'delay'; milliseconds: number }

/** A request that came in. */
export type SeenRequest = { number: number; method: string; path: string; body: string }

export type FaultOptions = {
  /** What happens to the POST requests that come next, one after the other; `undefined` answers properly. More may be pushed at any time. */
  queue?: (Fault | undefined)[]
  /** Decides for each request; it is asked where the queue is empty. */
  choose?: (request: SeenRequest) => Fault | undefined
  /** Told of every POST request, before anything happens to it. */
  onRequest?: (request: SeenRequest) => void
}

type Env = { Bindings: { incoming?: IncomingMessage } }

/**
 * Puts faults before a server. A request can also ask for one itself, by the header `x-rolecall-fault` with a fault as JSON.
 *
 * @example
 * const app = withFaults({ fetch: () => new Response('fine') }, { queue: [{ kind: 'status', status: 429, retryAfter: 2 }] })
 * const first = await app.fetch(new Request('http://localhost', { method: 'POST' }))
 * const second = await app.fetch(new Request('http://localhost', { method: 'POST' }))
 * const statuses = [first.status, first.headers.get('retry-after'), second.status]
 * statuses // => [429, '2', 200]
 */
export function withFaults(
  app: { fetch(request: Request, env?: object): Response | Promise<Response> },
  { queue = [], choose, onRequest }: FaultOptions,
): Hono {
  let number = 0
  const faulty = new Hono<Env>()
  faulty.all('*', async ({ req, env }) => {
    if (req.method !== 'POST') return app.fetch(req.raw, env)
    const body = await req.raw.clone().text()
    const seen = { number: number++, method: req.method, path: req.path, body }
    onRequest?.(seen)
    const asked = req.header('x-rolecall-fault')
    const fault = asked !== undefined ? (JSON.parse(asked) as Fault) : queue.length > 0 ? queue.shift() : choose?.(seen)
    const socket = (env as Env['Bindings'] | undefined)?.incoming?.socket
    const hangUp = () => socket?.destroy()
    const answer = async () => app.fetch(req.raw, env)
    switch (fault?.kind) {
      case undefined:
        return answer()
      case 'status':
        return new ApiError(fault.status, {
          message: fault.message ?? `this is a fault of status ${fault.status}`,
          headers: fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
        }).response()
      case 'garbage':
        return new Response(fault.body ?? '<html>Bad Gateway</html>', { headers: { 'content-type': 'application/json' } })
      case 'nonsense':
        return Response.json(fault.body ?? { object: 'error' })
      case 'cut':
        return cut(await answer(), fault.after, hangUp)
      case 'reset':
        hangUp()
        return new Response(null, { status: 500 })
      case 'silence':
        return new Promise<Response>(() => undefined)
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.milliseconds))
        return answer()
      default:
        return fault satisfies never
    }
  })
  return faulty as unknown as Hono
}

/** The beginning of an answer; then the connection breaks, without a word about the rest. */
function cut(response: Response, after: number, hangUp: () => void): Response {
  const reader = response.body!.getReader()
  let left = after
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done && left > 0) {
        controller.enqueue(value.subarray(0, left))
        left -= value.length
      }
      if (!done && left > 0) return
      await reader.cancel()
      // What was written must have left before the line is dead.
      setTimeout(hangUp, 20)
      await new Promise<void>(() => undefined)
    },
  })
  // In chunks, so that the head goes out at once and nobody knows how long the rest would have been.
  const headers = new Headers({ 'content-type': response.headers.get('content-type') ?? '', 'transfer-encoding': 'chunked' })
  return new Response(body, { status: response.status, headers })
}
