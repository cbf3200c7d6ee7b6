import type { ApiError } from '../api-error.ts'
import { type AnsweredChat, answerChat, streamChat } from '../chat/answer-chat.ts'
import type { OpenedChat } from '../chat/requested-chat.ts'
import type { RouteResult } from '../request-env.ts'
import { newId } from '../server-context.ts'
import { encodeNamedEvent, type Send, streamEvents } from '../stream-events.ts'
import { describeResponse, type ResponseBase } from './describe-response.ts'
import { ItemWriter } from './item-writer.ts'
import type { RequestedResponse } from './read-responses.ts'
import type { ResponsesRequest } from './responses-request.ts'

/** `bytes`: the size of the request. */
type Asked = { request: ResponsesRequest; requested: RequestedResponse; bytes: number }

type ResponseJob = Asked & { opened: OpenedChat; base: ResponseBase }

/** Answers a chat in the shape of the Responses API. */
export function writeResponse(opened: OpenedChat, asked: Asked, client: AbortSignal): Promise<RouteResult> {
  const { server, served } = opened
  const base = { id: newId('resp', '_'), created_at: Math.floor(server.now() / 1000), model: served.name }
  const job = { ...asked, opened, base }
  return asked.request.stream ? stream(job, client) : answerWhole(job, client)
}

async function answerWhole(job: ResponseJob, signal: AbortSignal): Promise<RouteResult> {
  const writer = writerFor(job)
  const answered = await answerChat(job.opened, { signal, events: { onDelta: (delta) => writer.write(delta) } })
  return { response: Response.json(finish(job, writer, answered)) }
}

function stream(job: ResponseJob, client: AbortSignal): Promise<RouteResult> {
  const { opened, base, request } = job
  let next = 0
  const numbered = (event: object) => ({ ...event, sequence_number: next++ })
  let writer: ItemWriter | undefined
  const fail = (error: ApiError) => {
    const response = describeResponse(base, request, opened.served, { status: 'failed', error, output: writer?.items ?? [] })
    const { message, code = null, param = null } = error
    // Some clients expect one event, some the other.
    return [numbered({ type: 'response.failed', response }), numbered({ type: 'error', code, message, param, ...error.body() })]
  }
  return streamEvents(
    client,
    async (sendEvent, signal) => {
      const send = (event: object) => sendEvent(numbered(event))
      const items = writerFor(job, send)
      writer = items
      const begin = () => {
        const response = describeResponse(base, request, opened.served, { status: 'in_progress' })
        for (const type of ['response.created', 'response.in_progress']) send({ type, response })
      }
      const answered = await streamChat(opened, { begin, write: (delta) => items.write(delta) }, signal)
      const response = finish(job, items, answered)
      send({ type: `response.${response.status}`, response })
    },
    opened.server.failed,
    { encode: encodeNamedEvent, fail },
  )
}

function writerFor({ requested, request }: ResponseJob, send?: Send): ItemWriter {
  return new ItemWriter({ ...(send ? { send } : {}), tools: requested.offered, asSummary: Boolean(request.reasoning?.summary) })
}

/** Completes the response, and stores it for later requests. */
function finish({ opened, request, requested, base, bytes }: ResponseJob, writer: ItemWriter, done: AnsweredChat) {
  const status = done.finish === 'length' ? 'incomplete' : 'completed'
  writer.end(status)
  const { items: output, thoughts } = writer
  const response = describeResponse(base, request, opened.served, { status, done, output, thoughts })
  if (request.store !== false) {
    const { previous, before, input } = requested
    const size = (previous?.bytes ?? 0) + bytes + JSON.stringify(output).length
    opened.server.responses.keep({ response: { ...response, output }, before, input, bytes: size })
  }
  return response
}
