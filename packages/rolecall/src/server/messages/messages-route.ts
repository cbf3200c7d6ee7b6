import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { RouteResult } from '../admission.ts'
import { type AnsweredChat, answerChat, streamChat } from '../chat/answer-chat.ts'
import { type OpenedChat, openChat } from '../chat/open-chat.ts'
import { type ConvertedChat, convertedProblems, withPlaces } from '../converted-chat.ts'
import { countTokens, countTokensOrFail } from '../prompt-length.ts'
import { checkBodyInTurn } from '../read-body.ts'
import { responseFormatOf } from '../response-format.ts'
import { newId, type ServerContext } from '../server-context.ts'
import { type EventStyle, encodeNamedEvent, streamEvents } from '../stream-events.ts'
import { BlockWriter } from './block-writer.ts'
import { messagesError } from './messages-error.ts'
import { countTokensRequest, type MessagesRequest, messagesRequest } from './messages-request.ts'
import { readMessages } from './read-messages.ts'

type MessagesJob = { opened: OpenedChat; request: MessagesRequest; converted: ConvertedChat; base: { [key: string]: PyValue } }

const formatPlaces = { format: 'output_config.format', schema: 'output_config.format.schema' }

/** POST /v1/messages: Anthropic's protocol, converted to a chat. */
export async function messagesRoute(server: ServerContext, body: string, client: AbortSignal): Promise<RouteResult> {
  const request = await checkBodyInTurn(body, messagesRequest)
  const converted = readMessages(request, body)
  const { max_tokens, temperature, top_p, top_k, stop_sequences: stop } = request
  const response_format = responseFormatOf(request.output_config?.format)
  const settings = { ...converted.settings, max_tokens, temperature, top_p, top_k, stop, response_format }
  const opened = await withPlaces(converted.places, () => openChat(server, settings, { ...converted.exact, formatPlaces }, client))
  const base = { id: newId('msg', '_'), type: 'message', role: 'assistant', model: opened.served.name }
  const job = { opened, request, converted, base }
  return request.stream ? stream(job, client) : answerWhole(job, client)
}

/** POST /v1/messages/count_tokens: the length of the prompt. */
export async function countTokensRoute(server: ServerContext, body: string, client: AbortSignal): Promise<RouteResult> {
  const { settings, exact, places } = readMessages(await checkBodyInTurn(body, countTokensRequest), body)
  const { chatPrompt, served } = await withPlaces(places, () => openChat(server, settings, exact, client))
  return {
    response: Response.json({
      input_tokens: await countTokensOrFail(chatPrompt.prompt, served, server, client),
    }),
  }
}

async function answerWhole(job: MessagesJob, signal: AbortSignal): Promise<RouteResult> {
  const writer = new BlockWriter()
  const answered = await answerChat(job.opened, { signal, events: { onDelta: (delta) => writer.write(delta) } })
  const message = {
    ...job.base,
    content: writer.content(),
    ...stopReason(job, answered),
    usage: usageOf(answered),
    ...problemsField(job, answered),
  }
  // Exact numbers: the arguments of calls come back in the next request.
  const json = stringifyJson(message, { ensureAscii: false })
  return { response: new Response(json, { headers: { 'content-type': 'application/json; charset=utf-8' } }) }
}

const eventStyle: EventStyle = { encode: encodeNamedEvent, fail: (error) => [messagesError(error)] }

function stream(job: MessagesJob, client: AbortSignal): Promise<RouteResult> {
  const { opened, base } = job
  const { served, chatPrompt, server } = opened
  return streamEvents(
    client,
    async (send, signal) => {
      const writer = new BlockWriter(send)
      const usage = { input_tokens: (await countTokens(chatPrompt.prompt, served, server, signal)) ?? 0, output_tokens: 0 }
      const begin = () => {
        send({ type: 'message_start', message: { ...base, content: [], stop_reason: null, stop_sequence: null, usage } })
      }
      const answered = await streamChat(opened, { begin, write: (delta) => writer.write(delta) }, signal)
      writer.end()
      send({ type: 'message_delta', delta: stopReason(job, answered), usage: usageOf(answered), ...problemsField(job, answered) })
      send({ type: 'message_stop' })
    },
    server.failed,
    eventStyle,
  )
}

function stopReason({ opened, request }: MessagesJob, { finish, stoppedBy, tokens }: AnsweredChat) {
  const { context } = opened.served.model
  const isFull = context !== undefined && tokens.reply < request.max_tokens && tokens.prompt + tokens.reply >= context
  const reasons = { length: isFull ? 'model_context_window_exceeded' : 'max_tokens', tool_calls: 'tool_use', stop: 'end_turn' }
  return { stop_reason: stoppedBy === undefined ? reasons[finish] : 'stop_sequence', stop_sequence: stoppedBy ?? null }
}

/** Unlike OpenAI's, `input_tokens` excludes cached tokens. */
function usageOf({ tokens: { prompt, reused, reply } }: AnsweredChat) {
  return { input_tokens: prompt - reused, cache_creation_input_tokens: 0, cache_read_input_tokens: reused, output_tokens: reply }
}

function problemsField({ opened, converted }: MessagesJob, answered: AnsweredChat): { problems?: string[] } {
  const problems = convertedProblems(converted, answered, opened.chatPrompt)
  return problems.length === 0 ? {} : { problems }
}
