import type { Answer } from './admission.ts'
import { type ApiError, toApiError } from './api-error.ts'

export type Send = (event: object) => void

/** How a protocol writes its stream. */
export type EventStyle = {
  /** An event as it is sent. */
  write(event: object): string
  /** The events that tell of a failure in the midst of a stream. */
  fail(error: ApiError): readonly object[]
  /** What is sent after the last event. */
  end?: string
}

/** Events as OpenAI's completions have them: only data, and a mark at the end. */
export const plainEvents: EventStyle = {
  write: (event) => `data: ${JSON.stringify(event)}\n\n`,
  fail: (error) => [error.body()],
  end: 'data: [DONE]\n\n',
}

/** An event that is called after its type. */
export function namedEvent(event: object): string {
  return `event: ${(event as { type?: string }).type}\ndata: ${JSON.stringify(event)}\n\n`
}

/**
 * Answers with server-sent events. What fails before the first event is an ordinary error with its status; later it can
 * only be told inside the stream, as the protocol's clients expect it. A client that stops reading stops the work.
 */
export async function streamEvents(
  client: AbortSignal,
  work: (send: Send, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  style: EventStyle = plainEvents,
): Promise<Answer> {
  const gone = new AbortController()
  const leave = () => gone.abort(client.reason)
  if (client.aborted) leave()
  client.addEventListener('abort', leave, { once: true })
  const encoder = new TextEncoder()
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel(reason) {
      gone.abort(reason ?? new Error('the client stopped reading'))
    },
  })
  const write = (text: string) => {
    if (!gone.signal.aborted) controller.enqueue(encoder.encode(text))
  }
  return new Promise((resolve, reject) => {
    let hasBegun = false
    const begin = () => {
      if (hasBegun) return
      hasBegun = true
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
      resolve({ response: new Response(body, { headers }), done })
    }
    const send: Send = (event) => {
      write(style.write(event))
      begin()
    }
    // Not at once: the first event may come before this is assigned.
    const done: Promise<void> = Promise.resolve()
      .then(() => work(send, gone.signal))
      .then(() => {
        if (style.end !== undefined) write(style.end)
        begin()
      })
      .catch((error: unknown) => {
        if (!hasBegun) return reject(error)
        if (gone.signal.aborted) return
        onError(error)
        for (const event of style.fail(toApiError(error))) write(style.write(event))
      })
      .finally(() => {
        client.removeEventListener('abort', leave)
        try {
          controller.close()
        } catch {
          // The client closed it first.
        }
      })
  })
}
