import type { Answer } from './admission.ts'
import { toApiError } from './api-error.ts'

export type Send = (event: unknown) => void

/**
 * Answers with server-sent events. What fails before the first event is an ordinary error with its status; later it can
 * only be told inside the stream, as OpenAI's clients expect it. A client that stops reading stops the work.
 */
export async function streamEvents(
  client: AbortSignal,
  work: (send: Send, signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
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
  const write = (data: string) => {
    if (!gone.signal.aborted) controller.enqueue(encoder.encode(`data: ${data}\n\n`))
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
      write(JSON.stringify(event))
      begin()
    }
    // Not at once: the first event may come before this is assigned.
    const done: Promise<void> = Promise.resolve()
      .then(() => work(send, gone.signal))
      .then(() => {
        write('[DONE]')
        begin()
      })
      .catch((error: unknown) => {
        if (!hasBegun) return reject(error)
        if (gone.signal.aborted) return
        onError(error)
        write(JSON.stringify(toApiError(error).body()))
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
