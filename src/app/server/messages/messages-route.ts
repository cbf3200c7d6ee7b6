import { type PyValue, stringifyJson } from '../../../base/python/index.ts'
import type { Answer } from '../admission.ts'
import { type AnsweredChat, answerChat } from '../chat/answer-chat.ts'
import type { Delta } from '../chat/delta-writer.ts'
import { type OpenedChat, openChat, problemsOf } from '../chat/open-chat.ts'
import { relocate, withPlaces } from '../converted-chat.ts'
import { countOrRefuse, countTokens } from '../prompt-length.ts'
import { checkBody } from '../read-body.ts'
import { responseFormatOf } from '../response-format.ts'
import { newId, type Serving } from '../server-context.ts'
import { type EventStyle, namedEvent, streamEvents } from '../stream-events.ts'
import { BlockWriter } from './block-writer.ts'
import { messagesError } from './messages-error.ts'
import { countTokensRequest, type MessagesRequest, messagesRequest } from './messages-request.ts'
import { type ReadMessages, readMessages } from './read-messages.ts'

type Messaging = { opened: OpenedChat; request: MessagesRequest; read: ReadMessages; base: { [key: string]: PyValue } }

const formatPlaces = { format: 'output_config.format', schema: 'output_config.format.schema' }

/** POST /v1/messages: Anthropic's protocol, answered as every chat is. */
export async function messagesRoute(serving: Serving, body: string, client: AbortSignal): Promise<Answer> {
  const request = checkBody(body, messagesRequest)
  const read = readMessages(request, body)
  const { max_tokens, temperature, top_p, stop_sequences: stop } = request
  const response_format = responseFormatOf(request.output_config?.format)
  const chat = { ...read.fields, max_tokens, temperature, top_p, stop, response_format }
  const opened = withPlaces(read.places, () => openChat(serving, chat, { ...read.exact, formatPlaces }))
  const base = { id: newId('msg', '_'), type: 'message', role: 'assistant', model: opened.served.name }
  const messaging = { opened, request, read, base }
  return request.stream ? stream(messaging, client) : answerWhole(messaging, client)
}

/** POST /v1/messages/count_tokens: how long the prompt is. */
export async function countTokensRoute(serving: Serving, body: string): Promise<Answer> {
  const request = checkBody(body, countTokensRequest)
  const { fields, exact, places } = readMessages(request, body)
  const { asked, served } = withPlaces(places, () => openChat(serving, fields, exact))
  return { response: Response.json({ input_tokens: countOrRefuse(asked.prompt, served) }) }
}

async function answerWhole(messaging: Messaging, client: AbortSignal): Promise<Answer> {
  const writer = new BlockWriter()
  const done = await answer(messaging, (delta) => writer.write(delta), client)
  const message = {
    ...messaging.base,
    content: writer.content(),
    ...endOf(messaging, done),
    usage: usageOf(done),
    ...problemsIn(messaging, done),
  }
  // To the digit: arguments of calls come back in the next request.
  const json = stringifyJson(message, { ensureAscii: false })
  return { response: new Response(json, { headers: { 'content-type': 'application/json; charset=utf-8' } }) }
}

const events: EventStyle = { write: namedEvent, fail: (error) => [messagesError(error)] }

function stream(messaging: Messaging, client: AbortSignal): Promise<Answer> {
  const { opened, base } = messaging
  const { served, asked, serving } = opened
  return streamEvents(
    client,
    async (send, signal) => {
      const writer = new BlockWriter(send)
      let hasBegun = false
      // Not before the first words: what fails until then is an ordinary error.
      const begin = () => {
        if (hasBegun) return
        hasBegun = true
        const usage = { input_tokens: countTokens(asked.prompt, served) ?? 0, output_tokens: 0 }
        send({ type: 'message_start', message: { ...base, content: [], stop_reason: null, stop_sequence: null, usage } })
      }
      const tell = (delta: Delta) => {
        begin()
        writer.write(delta)
      }
      const done = await answer(messaging, tell, signal)
      begin()
      writer.end()
      send({ type: 'message_delta', delta: endOf(messaging, done), usage: usageOf(done), ...problemsIn(messaging, done) })
      send({ type: 'message_stop' })
    },
    serving.failed,
    events,
  )
}

function answer({ opened }: Messaging, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<AnsweredChat> {
  const { serving, served, request, asked } = opened
  return answerChat(serving, served, request, asked, { choice: 0, signal, events: { onDelta } })
}

function endOf({ opened, request }: Messaging, { finish, stoppedBy, tokens }: AnsweredChat) {
  const { context } = opened.served.model
  const isFull = context !== undefined && tokens.reply < request.max_tokens && tokens.prompt + tokens.reply >= context
  const reasons = { length: isFull ? 'model_context_window_exceeded' : 'max_tokens', tool_calls: 'tool_use', stop: 'end_turn' }
  return { stop_reason: stoppedBy === undefined ? reasons[finish] : 'stop_sequence', stop_sequence: stoppedBy ?? null }
}

/** Tokens that the model still knew are counted apart. */
function usageOf({ tokens: { prompt, reused, reply } }: AnsweredChat) {
  return { input_tokens: prompt - reused, cache_creation_input_tokens: 0, cache_read_input_tokens: reused, output_tokens: reply }
}

function problemsIn({ opened, read }: Messaging, done: AnsweredChat): { problems?: string[] } {
  const problems = [...read.problems, ...problemsOf(done, opened.asked).map((text) => relocate(text, read.places))]
  return problems.length === 0 ? {} : { problems }
}
