import type { LikelyToken } from '../../model/language-model/language-model.ts'
import type { RouteResult } from '../admission.ts'
import { ApiError } from '../api-error.ts'
import { tokenText } from '../completions/log-probabilities.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { checkBodyInTurn } from '../read-body.ts'
import { replyConcurrency, type ServedModel } from '../served-model.ts'
import { newId, type ServerContext } from '../server-context.ts'
import { streamEvents } from '../stream-events.ts'
import { Usage } from '../usage.ts'
import { type AnsweredChat, answerChat, problemsOf, type ReplyToken } from './answer-chat.ts'
import { type ChatPrompt, exactChatOf } from './chat-prompt.ts'
import { type ChatSettings, chatRequest } from './chat-request.ts'
import { type Delta, joinDeltas } from './delta-writer.ts'
import { type OpenedChat, openChat } from './open-chat.ts'

type Base = { id: string; created: number; model: string }

/** POST /v1/chat/completions: renders the messages in the model's format and parses its reply. */
export async function chatRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const request = await checkBodyInTurn(text, chatRequest)
  const choices = request.n ?? 1
  if (choices > server.limits.choices) {
    throw new ApiError(400, {
      message: `n: ${choices} replies exceed the limit of ${server.limits.choices}`,
      param: 'n',
      code: 'too_many_choices',
    })
  }
  const opened = await openChat(server, request, exactChatOf(text), client)
  const base = { id: newId('chatcmpl'), created: Math.floor(server.now() / 1000), model: opened.served.name }
  const numbers = Array.from({ length: choices }, (_, index) => index)
  return request.stream ? stream(opened, base, numbers, client) : answerWhole(opened, base, numbers, client)
}

async function answerWhole(opened: OpenedChat, base: Base, numbers: readonly number[], client: AbortSignal): Promise<RouteResult> {
  const { served, request, chatPrompt } = opened
  const usage = new Usage()
  const choices = await mapConcurrently(numbers, replyConcurrency(served, client), async (choice, signal) => {
    const deltas: Delta[] = []
    const tokens: ReplyToken[] = []
    const events = { onDelta: (delta: Delta) => void deltas.push(delta), onToken: (token: ReplyToken) => void tokens.push(token) }
    const answered = await answerChat(opened, { choice, signal, events })
    usage.add(answered.tokens, choice === 0)
    return {
      index: choice,
      message: { ...joinDeltas(deltas), ...tokenIds(request, answered) },
      logprobs: request.logprobs ? logProbabilities(tokens, served) : null,
      finish_reason: answered.finish,
      ...problemsField(answered, chatPrompt),
    }
  })
  return { response: Response.json({ ...base, object: 'chat.completion', choices, usage: usage.toJson() }) }
}

function stream(opened: OpenedChat, base: Base, numbers: readonly number[], client: AbortSignal): Promise<RouteResult> {
  const { server, served, request, chatPrompt } = opened
  const wantsUsage = request.stream_options?.include_usage === true
  const usage = new Usage()
  return streamEvents(
    client,
    async (send, stop) => {
      const chunk = { ...base, object: 'chat.completion.chunk', ...(wantsUsage ? { usage: null } : {}) }
      await mapConcurrently(numbers, replyConcurrency(served, stop), async (choice, signal) => {
        let tokens: ReplyToken[] = []
        let hasBegun = false
        const sendDelta = (delta: Delta, finish: string | null, more: object = {}) => {
          if (!hasBegun) {
            hasBegun = true
            sendDelta({ role: 'assistant', content: '' }, null)
          }
          const hasTokens = delta.role === undefined && tokens.length > 0
          const logprobs = hasTokens ? logProbabilities(tokens, served) : null
          if (hasTokens) tokens = []
          send({ ...chunk, choices: [{ index: choice, delta, logprobs, finish_reason: finish, ...more }] })
        }
        const events = { onDelta: (delta: Delta) => sendDelta(delta, null), onToken: (token: ReplyToken) => void tokens.push(token) }
        const answered = await answerChat(opened, { choice, signal, events })
        sendDelta({ ...tokenIds(request, answered) }, answered.finish, problemsField(answered, chatPrompt))
        usage.add(answered.tokens, choice === 0)
      })
      if (wantsUsage) send({ ...chunk, choices: [], usage: usage.toJson() })
    },
    server.failed,
  )
}

function tokenIds({ return_token_ids: wants }: ChatSettings, { generated }: AnsweredChat): object {
  return wants && generated ? { token_ids: generated.ids, token_text: generated.text } : {}
}

function problemsField(answered: AnsweredChat, chatPrompt: ChatPrompt): object {
  const problems = problemsOf(answered, chatPrompt)
  return problems.length === 0 ? {} : { problems }
}

function logProbabilities(tokens: readonly ReplyToken[], { model: { tokenizer } }: ServedModel) {
  const describe = ({ id, logProbability }: LikelyToken) => ({
    token: tokenText(id, tokenizer),
    logprob: logProbability,
    bytes: tokenizer ? [...tokenizer.bytesOf(id)] : null,
  })
  return {
    content: tokens.map((token) =>
      'described' in token ? token.described : { ...describe(token), top_logprobs: (token.top ?? []).map(describe) },
    ),
    refusal: null,
  }
}
