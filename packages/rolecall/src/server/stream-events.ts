import { type ApiError, toApiError } from './api-error.ts'
import type { RouteResult } from './request-env.ts'

export type Send = (event: object) => void

/** How a protocol encodes its event stream. */
export type EventStyle = {
  encode(event: object): string
  /** The events that report an error after the stream has started. */
  fail(error: ApiError): readonly object[]
  /** Sent after the last event. */
  end?: string
}

/** OpenAI's completions: data only, and a final marker. */
export const plainEvents: EventStyle = {
  encode: (event) => `data: ${JSON.stringify(event)}\n\n`,
  fail: (error) => [error.body()],
  end: 'data: [DONE]\n\n',
}

/** An event named after its `type`. */
export function encodeNamedEvent(event: object): string {
  return `event: ${(event as { type?: string }).type}\ndata: ${JSON.stringify(event)}\n\n`
}

/**
 * Responds with server-sent events. An error before the first event is an ordinary error response; a later one is sent within the stream.
 * The work is aborted when the client stops reading.
 */
export async function streamEvents(
  client: AbortSignal,
  work: (send: Send, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  style: EventStyle = plainEvents,
): Promise<RouteResult> {
  const cancelled = new AbortController()
  const signal = AbortSignal.any([client, cancelled.signal])
  const encoder = new TextEncoder()
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel(reason) {
      cancelled.abort(reason ?? new Error('the client stopped reading'))
    },
  })
  const write = (text: string) => {
    if (!signal.aborted) controller.enqueue(encoder.encode(text))
  }
  return new Promise((resolve, reject) => {
    let hasStarted = false
    const start = () => {
      if (hasStarted) return
      hasStarted = true
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
      resolve({ response: new Response(body, { headers }), done })
    }
    const send: Send = (event) => {
      write(style.encode(event))
      start()
    }
    // Deferred: the first event may be sent before `done` is assigned.
    const done: Promise<{ isAborted: boolean }> = Promise.resolve()
      .then(() => work(send, signal))
      .then(() => {
        if (style.end !== undefined) write(style.end)
        start()
      })
      .catch((error: unknown) => {
        if (!hasStarted) return reject(error)
        if (signal.aborted) return
        onError(error)
        for (const event of style.fail(toApiError(error))) write(style.encode(event))
      })
      .finally(() => {
        try {
          controller.close()
        } catch {
          // Already closed by the client.
        }
      })
      .then(() => ({ isAborted: signal.aborted }))
  })
}
