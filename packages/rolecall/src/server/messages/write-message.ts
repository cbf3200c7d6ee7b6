import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { type AnsweredChat, answerChat, streamChat } from '../chat/answer-chat.ts'
import type { OpenedChat } from '../chat/requested-chat.ts'
import { newId } from '../new-id.ts'
import { countTokens } from '../prompt-length.ts'
import type { RouteResult } from '../request-env.ts'
import { type EventStyle, encodeNamedEvent, streamEvents } from '../stream-events.ts'
import { BlockWriter } from './block-writer.ts'
import { messagesError } from './messages-error.ts'
import type { MessagesRequest } from './messages-request.ts'

type MessageJob = { opened: OpenedChat; request: MessagesRequest; head: { [key: string]: PyValue } }

/** Answers a chat in the shape of Anthropic's messages. */
export function writeMessage(opened: OpenedChat, request: MessagesRequest, client: AbortSignal): Promise<RouteResult> {
  const head = { id: newId('msg', '_'), type: 'message', role: 'assistant', model: opened.served.name }
  const job = { opened, request, head }
  return request.stream ? stream(job, client) : answerWhole(job, client)
}

async function answerWhole({ opened, request, head }: MessageJob, signal: AbortSignal): Promise<RouteResult> {
  const writer = new BlockWriter()
  const answered = await answerChat(opened, { signal, events: { onDelta: (delta) => writer.write(delta) } })
  const message = {
    ...head,
    content: writer.content(),
    ...stopReason(opened, request, answered),
    usage: usageOf(answered),
    ...problemsField(answered),
  }
  // Exact numbers: the arguments of calls come back in the next request.
  const json = stringifyJson(message, { ensureAscii: false })
  return { response: new Response(json, { headers: { 'content-type': 'application/json; charset=utf-8' } }) }
}

const eventStyle: EventStyle = { encode: encodeNamedEvent, fail: (error) => [messagesError(error)] }

function stream({ opened, request, head }: MessageJob, client: AbortSignal): Promise<RouteResult> {
  const { server, served, chatPrompt } = opened
  return streamEvents(
    client,
    async (send, signal) => {
      const writer = new BlockWriter(send)
      const usage = {
        input_tokens: (await countTokens(chatPrompt.prompt, served, server, signal)) ?? served.lengths.of(chatPrompt.prompt),
        output_tokens: 0,
      }
      const begin = () => {
        send({ type: 'message_start', message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage } })
      }
      const answered = await streamChat(opened, { begin, write: (delta) => writer.write(delta) }, signal)
      writer.end()
      const delta = stopReason(opened, request, answered)
      send({ type: 'message_delta', delta, usage: usageOf(answered), ...problemsField(answered) })
      send({ type: 'message_stop' })
    },
    server.failed,
    eventStyle,
  )
}

function stopReason({ served }: OpenedChat, request: MessagesRequest, { finish, stoppedBy, tokens }: AnsweredChat) {
  const { context } = served.model
  const isFull = context !== undefined && tokens.reply < request.max_tokens && tokens.prompt + tokens.reply >= context
  const reasons = { length: isFull ? 'model_context_window_exceeded' : 'max_tokens', tool_calls: 'tool_use', stop: 'end_turn' }
  return { stop_reason: stoppedBy === undefined ? reasons[finish] : 'stop_sequence', stop_sequence: stoppedBy ?? null }
}

/** Unlike OpenAI's, `input_tokens` excludes cached tokens. */
function usageOf({ tokens: { prompt, reused, reply } }: AnsweredChat) {
  return { input_tokens: prompt - reused, cache_creation_input_tokens: 0, cache_read_input_tokens: reused, output_tokens: reply }
}

function problemsField({ problems }: AnsweredChat): { problems?: PyValue } {
  return problems ? { problems } : {}
}
