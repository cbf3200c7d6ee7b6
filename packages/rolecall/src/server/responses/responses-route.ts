import type { RouteResult } from '../admission.ts'
import type { ApiError } from '../api-error.ts'
import { type AnsweredChat, answerChat, streamChat } from '../chat/answer-chat.ts'
import { type OpenedChat, openChat } from '../chat/open-chat.ts'
import { convertedProblems, withPlaces } from '../converted-chat.ts'
import { countTokensOrFail } from '../prompt-length.ts'
import { checkBodyInTurn } from '../read-body.ts'
import { responseFormatOf } from '../response-format.ts'
import { newId, type ServerContext } from '../server-context.ts'
import { encodeNamedEvent, type Send, streamEvents } from '../stream-events.ts'
import { describeResponse, type ResponseBase } from './describe-response.ts'
import { ItemWriter } from './item-writer.ts'
import { type ConvertedResponse, readResponses } from './read-responses.ts'
import { inputTokensRequest, type ResponsesRequest, responsesRequest } from './responses-request.ts'

type ResponseJob = { opened: OpenedChat; request: ResponsesRequest; converted: ConvertedResponse; base: ResponseBase; bytes: number }

const formatPlaces = { format: 'text.format', schema: 'text.format.schema' }

/** POST /v1/responses: OpenAI's newer protocol, converted to a chat. */
export async function responsesRoute(server: ServerContext, body: string, client: AbortSignal): Promise<RouteResult> {
  const request = await checkBodyInTurn(body, responsesRequest)
  const converted = readResponses(request, body, server.responses)
  if (request.text?.verbosity) converted.problems.push(`text.verbosity: "${request.text.verbosity}" has no effect`)
  const { max_output_tokens: max_tokens, temperature, top_p } = request
  const settings = { ...converted.settings, max_tokens, temperature, top_p, response_format: responseFormatOf(request.text?.format) }
  const opened = await withPlaces(converted.places, () => openChat(server, settings, { ...converted.exact, formatPlaces }, client))
  const base = { id: newId('resp', '_'), created_at: Math.floor(server.now() / 1000), model: opened.served.name }
  const job = { opened, request, converted, base, bytes: body.length }
  return request.stream ? stream(job, client) : answerWhole(job, client)
}

/** POST /v1/responses/input_tokens: the length of the prompt. */
export async function inputTokensRoute(server: ServerContext, body: string, client: AbortSignal): Promise<RouteResult> {
  const { settings, exact, places } = readResponses(await checkBodyInTurn(body, inputTokensRequest), body, server.responses)
  const { chatPrompt, served } = await withPlaces(places, () => openChat(server, settings, exact, client))
  return {
    response: Response.json({
      object: 'response.input_tokens',
      input_tokens: await countTokensOrFail(chatPrompt.prompt, served, server, client),
    }),
  }
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

function writerFor({ converted, request }: ResponseJob, send?: Send): ItemWriter {
  return new ItemWriter({ ...(send ? { send } : {}), custom: converted.custom, asSummary: Boolean(request.reasoning?.summary) })
}

/** Completes the response, and stores it for later requests. */
function finish({ opened, request, converted, base, bytes }: ResponseJob, writer: ItemWriter, done: AnsweredChat) {
  const status = done.finish === 'length' ? 'incomplete' : 'completed'
  writer.end(status)
  const { items: output, thoughts } = writer
  const problems = convertedProblems(converted, done, opened.chatPrompt)
  const response = describeResponse(base, request, opened.served, { status, done, output, thoughts, problems })
  if (request.store !== false) {
    const { previous, before, input } = converted
    const size = (previous?.bytes ?? 0) + bytes + JSON.stringify(output).length
    opened.server.responses.keep({ response: { ...response, output }, before, input, bytes: size })
  }
  return response
}
