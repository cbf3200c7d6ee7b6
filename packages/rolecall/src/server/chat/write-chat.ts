import type { LikelyToken } from '../../model/language-model/language-model.ts'
import { tokenText } from '../completions/log-probabilities.ts'
import { newId } from '../new-id.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServedModel } from '../served-model.ts'
import { streamEvents } from '../stream-events.ts'
import type { AnsweredChat, ReplyToken } from './answer-chat.ts'
import { answerChoices } from './answer-choices.ts'
import type { ChatSettings } from './chat-request.ts'
import { CustomCalls } from './custom-calls.ts'
import { type Delta, joinDeltas } from './delta-writer.ts'
import type { OpenedChat } from './requested-chat.ts'

const none: ReadonlySet<string> = new Set()

type Head = { id: string; created: number; model: string }

/** Answers a chat in the shape of OpenAI's chat completions. */
export function writeChat(opened: OpenedChat, client: AbortSignal): Promise<RouteResult> {
  const { server, served, requested } = opened
  const head = { id: newId('chatcmpl'), created: Math.floor(server.now() / 1000), model: served.name }
  return requested.settings.stream ? stream(opened, head, client) : answerWhole(opened, head, client)
}

async function answerWhole(opened: OpenedChat, head: Head, client: AbortSignal): Promise<RouteResult> {
  const { served, requested } = opened
  const { answers: choices, usage } = await answerChoices(opened, client, (index) => {
    const deltas: Delta[] = []
    const tokens: ReplyToken[] = []
    const calls = new CustomCalls(requested.custom ?? none)
    return {
      onDelta: (delta) => void deltas.push(...calls.write(delta)),
      onToken: (token) => void tokens.push(token),
      end: (answered) => ({
        index,
        message: { ...joinDeltas([...deltas, ...calls.end()]), ...tokenIds(requested.settings, answered) },
        logprobs: requested.settings.logprobs ? logProbabilities(tokens, served) : null,
        finish_reason: answered.finish,
        problems: answered.problems,
      }),
    }
  })
  return { response: Response.json({ ...head, object: 'chat.completion', choices, usage }) }
}

function stream(opened: OpenedChat, head: Head, client: AbortSignal): Promise<RouteResult> {
  const { server, served, requested } = opened
  const wantsUsage = requested.settings.stream_options?.include_usage === true
  const chunk = { ...head, object: 'chat.completion.chunk', ...(wantsUsage ? { usage: null } : {}) }
  return streamEvents(
    client,
    async (send, stop) => {
      const { usage } = await answerChoices(opened, stop, (index) => {
        let tokens: ReplyToken[] = []
        let hasBegun = false
        const calls = new CustomCalls(requested.custom ?? none)
        const sendDelta = (delta: Delta, finish: string | null, more: object = {}) => {
          if (!hasBegun) {
            hasBegun = true
            sendDelta({ role: 'assistant', content: '' }, null)
          }
          const hasTokens = delta.role === undefined && tokens.length > 0
          const logprobs = hasTokens ? logProbabilities(tokens, served) : null
          if (hasTokens) tokens = []
          send({ ...chunk, choices: [{ index, delta, logprobs, finish_reason: finish, ...more }] })
        }
        return {
          onDelta: (delta) => {
            for (const written of calls.write(delta)) sendDelta(written, null)
          },
          onToken: (token) => void tokens.push(token),
          end: (answered) => {
            for (const written of calls.end()) sendDelta(written, null)
            sendDelta({ ...tokenIds(requested.settings, answered) }, answered.finish, { problems: answered.problems })
          },
        }
      })
      if (wantsUsage) send({ ...chunk, choices: [], usage })
    },
    server.failed,
  )
}

function tokenIds({ return_token_ids: wants }: ChatSettings, { generated }: AnsweredChat): object {
  return wants && generated ? { token_ids: generated.ids, token_text: generated.text } : {}
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
