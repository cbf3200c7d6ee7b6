import type { ApiError } from '../api-error.ts'
import { type AnsweredChat, answerChat, streamChat } from '../chat/answer-chat.ts'
import type { OpenedChat } from '../chat/requested-chat.ts'
import { newId } from '../new-id.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServedModel } from '../served-model.ts'
import { findModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
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
  const job = { ...asked, opened, base: baseOf(server, served) }
  return asked.request.stream ? stream(job, client) : answerWhole(job, client)
}

async function answerWhole(job: ResponseJob, signal: AbortSignal): Promise<RouteResult> {
  const writer = writerFor(job)
  const answered = await answerChat(job.opened, { signal, events: { onDelta: (delta) => writer.write(delta) } })
  return { response: Response.json(finish(job, writer, answered)) }
}

/** A prompt that is too long: clients of streams look for that in the stream, and take an error of HTTP for a defect. */
export function streamRefusal(
  server: ServerContext,
  request: ResponsesRequest,
  error: ApiError,
  client: AbortSignal,
): Promise<RouteResult> {
  const served = findModel(server.models, request.model)
  const base = baseOf(server, served)
  const numbered = eventNumbers()
  const work = async (send: Send) => {
    send(numbered({ type: 'response.created', response: describeResponse(base, request, served, { status: 'in_progress' }) }))
    for (const event of failureEvents(error, describeResponse(base, request, served, { status: 'failed', error, output: [] })))
      send(numbered(event))
  }
  return streamEvents(client, work, server.failed, { encode: encodeNamedEvent, fail: () => [] })
}

function baseOf(server: ServerContext, served: ServedModel): ResponseBase {
  return { id: newId('resp', '_'), created_at: Math.floor(server.now() / 1000), model: served.name }
}

function eventNumbers(): (event: object) => object {
  let next = 0
  return (event) => ({ ...event, sequence_number: next++ })
}

/** Some clients expect one event, some the other. */
function failureEvents(error: ApiError, response: object): object[] {
  const { message, code = null, param = null } = error
  return [
    { type: 'response.failed', response },
    { type: 'error', code, message, param, ...error.body() },
  ]
}

function stream(job: ResponseJob, client: AbortSignal): Promise<RouteResult> {
  const { opened, base, request } = job
  const numbered = eventNumbers()
  let writer: ItemWriter | undefined
  const fail = (error: ApiError) => {
    const response = describeResponse(base, request, opened.served, { status: 'failed', error, output: writer?.items ?? [] })
    return failureEvents(error, response).map(numbered)
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
