import type { Answer } from '../admission.ts'
import { ApiError } from '../api-error.ts'
import { tokenText } from '../completions/log-probabilities.ts'
import { workOn } from '../map-concurrently.ts'
import { checkBody } from '../read-body.ts'
import { type ServedModel, workersOf } from '../served-model.ts'
import { newId, type Serving } from '../server-context.ts'
import { streamEvents } from '../stream-events.ts'
import { Usage } from '../usage.ts'
import { type AnsweredChat, answerChat, type ReplyToken } from './answer-chat.ts'
import { type ChatPrompt, exactChatOf } from './chat-prompt.ts'
import { type ChatRequest, chatRequest } from './chat-request.ts'
import { type Delta, joinDeltas } from './delta-writer.ts'
import { type OpenedChat, openChat, problemsOf } from './open-chat.ts'

type Chatting = OpenedChat & { base: { id: string; created: number; model: string } }

/** POST /v1/chat/completions: messages, written in the model's own format, and its reply read in the same. */
export async function chatRoute(serving: Serving, text: string, client: AbortSignal): Promise<Answer> {
  const request = checkBody(text, chatRequest)
  const choices = request.n ?? 1
  if (choices > serving.limits.choices) {
    throw new ApiError(400, {
      message: `n: ${choices} replies exceed the limit of ${serving.limits.choices}`,
      param: 'n',
      code: 'too_many_choices',
    })
  }
  const opened = openChat(serving, request, exactChatOf(text))
  const base = { id: newId('chatcmpl'), created: Math.floor(serving.now() / 1000), model: opened.served.name }
  const chatting = { ...opened, base }
  const numbers = Array.from({ length: choices }, (_, index) => index)
  return request.stream ? stream(chatting, numbers, client) : answerWhole(chatting, numbers, client)
}

async function answerWhole(
  { serving, served, request, asked, base }: Chatting,
  numbers: readonly number[],
  client: AbortSignal,
): Promise<Answer> {
  const usage = new Usage()
  const choices = await workOn(numbers, workersOf(served, client), async (choice, signal) => {
    const deltas: Delta[] = []
    const tokens: ReplyToken[] = []
    const events = { onDelta: (delta: Delta) => void deltas.push(delta), onToken: (token: ReplyToken) => void tokens.push(token) }
    const done = await answerChat(serving, served, request, asked, { choice, signal, events })
    usage.add(done.tokens, choice === 0)
    return {
      index: choice,
      message: { ...joinDeltas(deltas), ...tokenIds(request, done) },
      logprobs: request.logprobs ? { content: tellTokens(tokens, served), refusal: null } : null,
      finish_reason: done.finish,
      ...toldProblems(done, asked),
    }
  })
  return { response: Response.json({ ...base, object: 'chat.completion', choices, usage: usage.tell() }) }
}

function stream({ serving, served, request, asked, base }: Chatting, numbers: readonly number[], client: AbortSignal): Promise<Answer> {
  const wantsUsage = request.stream_options?.include_usage === true
  const usage = new Usage()
  return streamEvents(
    client,
    async (send, stop) => {
      const chunk = { ...base, object: 'chat.completion.chunk', ...(wantsUsage ? { usage: null } : {}) }
      await workOn(numbers, workersOf(served, stop), async (choice, signal) => {
        let tokens: ReplyToken[] = []
        let hasBegun = false
        const tell = (delta: Delta, finish: string | null, more: object = {}) => {
          if (!hasBegun) {
            hasBegun = true
            tell({ role: 'assistant', content: '' }, null)
          }
          const isNews = delta.role === undefined && tokens.length > 0
          const logprobs = isNews ? { content: tellTokens(tokens, served), refusal: null } : null
          if (isNews) tokens = []
          send({ ...chunk, choices: [{ index: choice, delta, logprobs, finish_reason: finish, ...more }] })
        }
        const events = { onDelta: (delta: Delta) => tell(delta, null), onToken: (token: ReplyToken) => void tokens.push(token) }
        const done = await answerChat(serving, served, request, asked, { choice, signal, events })
        tell({ ...tokenIds(request, done) }, done.finish, toldProblems(done, asked))
        usage.add(done.tokens, choice === 0)
      })
      if (wantsUsage) send({ ...chunk, choices: [], usage: usage.tell() })
    },
    serving.failed,
  )
}

function tokenIds({ return_token_ids: wants }: ChatRequest, { generated }: AnsweredChat): object {
  return wants && generated ? { token_ids: generated.ids, token_text: generated.text } : {}
}

/** Told only where there is something to tell. */
function toldProblems(done: AnsweredChat, asked: ChatPrompt): object {
  const problems = problemsOf(done, asked)
  return problems.length === 0 ? {} : { problems }
}

function tellTokens(tokens: readonly ReplyToken[], { model: { tokenizer } }: ServedModel) {
  const tell = ({ id, logProbability }: ReplyToken) => ({
    token: tokenText(id, tokenizer),
    logprob: logProbability,
    bytes: tokenizer ? [...tokenizer.bytesOf(id)] : null,
  })
  return tokens.map((token) => ({ ...tell(token), top_logprobs: (token.top ?? []).map(tell) }))
}
