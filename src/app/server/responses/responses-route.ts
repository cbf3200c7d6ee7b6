import type { Answer } from '../admission.ts'
import type { ApiError } from '../api-error.ts'
import { type AnsweredChat, answerChat } from '../chat/answer-chat.ts'
import type { Delta } from '../chat/delta-writer.ts'
import { type OpenedChat, openChat, problemsOf } from '../chat/open-chat.ts'
import { relocate, withPlaces } from '../converted-chat.ts'
import { countOrRefuse } from '../prompt-length.ts'
import { checkBody } from '../read-body.ts'
import { responseFormatOf } from '../response-format.ts'
import { newId, type Serving } from '../server-context.ts'
import { namedEvent, streamEvents } from '../stream-events.ts'
import { describeResponse, type ResponseBase } from './describe-response.ts'
import { ItemWriter } from './item-writer.ts'
import { type ReadResponses, readResponses } from './read-responses.ts'
import { inputTokensRequest, type ResponsesRequest, responsesRequest } from './responses-request.ts'

type Responding = { opened: OpenedChat; request: ResponsesRequest; read: ReadResponses; base: ResponseBase; bytes: number }

const formatPlaces = { format: 'text.format', schema: 'text.format.schema' }

/** POST /v1/responses: OpenAI's newer protocol, answered as every chat is. */
export async function responsesRoute(serving: Serving, body: string, client: AbortSignal): Promise<Answer> {
  const request = checkBody(body, responsesRequest)
  const read = readResponses(request, body, serving.responses)
  if (request.text?.verbosity)
    read.problems.push(`text.verbosity: models here do not know it, so "${request.text.verbosity}" changed nothing`)
  const { max_output_tokens: max_tokens, temperature, top_p } = request
  const chat = { ...read.fields, max_tokens, temperature, top_p, response_format: responseFormatOf(request.text?.format) }
  const opened = withPlaces(read.places, () => openChat(serving, chat, { ...read.exact, formatPlaces }))
  const base = { id: newId('resp', '_'), created_at: Math.floor(serving.now() / 1000), model: opened.served.name }
  const responding = { opened, request, read, base, bytes: body.length }
  return request.stream ? stream(responding, client) : answerWhole(responding, client)
}

/** POST /v1/responses/input_tokens: how long the prompt is. */
export async function inputTokensRoute(serving: Serving, body: string): Promise<Answer> {
  const { fields, exact, places } = readResponses(checkBody(body, inputTokensRequest), body, serving.responses)
  const { asked, served } = withPlaces(places, () => openChat(serving, fields, exact))
  return { response: Response.json({ object: 'response.input_tokens', input_tokens: countOrRefuse(asked.prompt, served) }) }
}

async function answerWhole(responding: Responding, client: AbortSignal): Promise<Answer> {
  const writer = writerFor(responding)
  const done = await answer(responding, (delta) => writer.write(delta), client)
  return { response: Response.json(finish(responding, writer, done)) }
}

function stream(responding: Responding, client: AbortSignal): Promise<Answer> {
  const { opened, base, request } = responding
  let next = 0
  const numbered = (event: object) => ({ ...event, sequence_number: next++ })
  let writer: ItemWriter | undefined
  const fail = (error: ApiError) => {
    const response = describeResponse(base, request, opened.served, { status: 'failed', error, output: writer?.items ?? [] })
    const { message, code = null, param = null } = error
    // Some clients look for the one, some for the other.
    return [numbered({ type: 'response.failed', response }), numbered({ type: 'error', code, message, param, ...error.body() })]
  }
  return streamEvents(
    client,
    async (sendEvent, signal) => {
      const send = (event: object) => sendEvent(numbered(event))
      const written = writerFor(responding, send)
      writer = written
      let hasBegun = false
      // Not before the first words: what fails until then is an ordinary error.
      const begin = () => {
        if (hasBegun) return
        hasBegun = true
        const response = describeResponse(base, request, opened.served, { status: 'in_progress' })
        for (const type of ['response.created', 'response.in_progress']) send({ type, response })
      }
      const tell = (delta: Delta) => {
        begin()
        written.write(delta)
      }
      const done = await answer(responding, tell, signal)
      begin()
      const response = finish(responding, written, done)
      send({ type: `response.${response.status}`, response })
    },
    opened.serving.failed,
    { write: namedEvent, fail },
  )
}

function writerFor({ read, request }: Responding, send?: (event: object) => void): ItemWriter {
  return new ItemWriter({ ...(send ? { send } : {}), custom: read.custom, asSummary: Boolean(request.reasoning?.summary) })
}

function answer({ opened }: Responding, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<AnsweredChat> {
  const { serving, served, request, asked } = opened
  return answerChat(serving, served, request, asked, { choice: 0, signal, events: { onDelta } })
}

/** The response as a whole, which is kept for those that go on from it. */
function finish({ opened, request, read, base, bytes }: Responding, writer: ItemWriter, done: AnsweredChat) {
  const status = done.finish === 'length' ? 'incomplete' : 'completed'
  writer.end(status)
  const { items: output, thoughts } = writer
  const problems = [...read.problems, ...problemsOf(done, opened.asked).map((text) => relocate(text, read.places))]
  const response = describeResponse(base, request, opened.served, { status, done, output, thoughts, problems })
  if (request.store !== false) {
    const size = (read.previous?.bytes ?? 0) + bytes + JSON.stringify(output).length
    opened.serving.responses.keep({ response: { ...response, output }, before: read.before, input: read.input, bytes: size })
  }
  return response
}
