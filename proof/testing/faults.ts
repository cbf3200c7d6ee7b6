import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { ApiError } from '../../packages/rolecall/src/server/api-error.ts'

// For tests only: a server that fails the way real servers do. No command or server option enables it.

/** What a server does instead of replying. */
export type Fault =
  /** An error with its status; `retryAfter` in seconds, or a date. */
  | { kind: 'status'; status: number; retryAfter?: number | string; message?: string }
  /** Status 200 and a body that is not JSON. */
  | { kind: 'garbage'; body?: string }
  /** Status 200 and JSON of another shape: `{"object": "error"}`. */
  | { kind: 'nonsense'; body?: unknown }
  /** The first `after` bytes of the reply; then the connection breaks. */
  | { kind: 'cut'; after: number }
  /** The connection breaks without a reply. */
  | { kind: 'reset' }
  /** No reply, ever. */
  | { kind: 'silence' }
  /** The reply, delayed. */
  | { kind: 'delay'; milliseconds: number }

/** A received request. */
export type SeenRequest = { number: number; method: string; path: string; body: string }

export type FaultOptions = {
  /** The faults of the next POST requests, in order; `undefined` replies properly. More may be pushed at any time. */
  queue?: (Fault | undefined)[]
  /** Chooses the fault of a request if the queue is empty. */
  choose?: (request: SeenRequest) => Fault | undefined
  /** Called with every POST request before it is handled. */
  onRequest?: (request: SeenRequest) => void
}

type Env = { Bindings: { incoming?: IncomingMessage } }

/**
 * Wraps a server with faults. A request can also choose its fault: the header `x-rolecall-fault` takes one as JSON.
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

/** Sends the first bytes of a reply, then breaks the connection. */
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
      // The bytes must be sent before the socket is destroyed.
      setTimeout(hangUp, 20)
      await new Promise<void>(() => undefined)
    },
  })
  // Chunked, so that the headers are sent at once and do not reveal the length.
  const headers = new Headers({ 'content-type': response.headers.get('content-type') ?? '', 'transfer-encoding': 'chunked' })
  return new Response(body, { status: response.status, headers })
}
