import { chatGenerationOf } from '../../evaluation/run/ask/generation.ts'
import { answerAll } from '../answer-all.ts'
import { type ApiError, badField } from '../api-error.ts'
import { type Completed, complete } from '../completions/complete.ts'
import { completionRequest } from '../completions/completion-request.ts'
import type { ScoredToken } from '../completions/log-probabilities.ts'
import { type OpenedCompletion, openCompletion } from '../completions/open-completion.ts'
import { newId } from '../new-id.ts'
import { checkBody, checkFields } from '../read-body.ts'
import type { RouteResult } from '../request-env.ts'
import { findModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import { streamEvents } from '../stream-events.ts'
import { generateRequest } from './token-protocol.ts'

/** Used if neither request, config nor context limits the reply. */
const defaultMaxTokens = 4096

/** POST /inference/v1/generate: the reply to token ids as token ids, in vLLM's protocol. */
export async function generateRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const body = checkBody(text, generateRequest)
  const served = findModel(server.models, body.model)
  const { token_ids: prompt, sampling_params: given, stream } = body
  const room = served.model.context === undefined ? defaultMaxTokens : served.model.context - prompt.length
  const max_tokens = (given.max_tokens ?? chatGenerationOf(served.config).maxTokens ?? Math.max(1, room)) as number
  const request = checkFields({ ...given, max_tokens, model: served.name, prompt, stream: stream ?? false }, completionRequest)
  const opened = await openCompletion(server, request, client)
  const head = { request_id: newGenerateId(body.request_id) }
  const options = { usage: body.stream_options?.include_usage === true, running: body.stream_options?.continuous_usage_stats === true }
  if (stream) return streamIds(opened, head, options, client)
  const { answers: choices, usage } = await answerAll(opened.choices, served, client, async (choice, signal) => {
    const done = await complete(opened, choice, { signal })
    return { answer: { index: choice.index, ...describe(done, opened), finish_reason: done.finish }, tokens: done.tokens }
  })
  const nothing = { prompt_logprobs: null, kv_transfer_params: null, ec_transfer_params: null }
  const created = Math.floor(server.now() / 1000)
  return { response: Response.json({ ...head, model: served.name, created, usage, choices, ...nothing }) }
}

function newGenerateId(id: string | null | undefined): string {
  return id ? `generate-tokens-${id}` : newId('generate-tokens')
}

const nothingRouted = { routed_experts: null, sampling_mask: null }

/** All that the model sampled, with the token that stopped it. */
function sampledTokens({ replyTokens, stopToken }: Completed): readonly ScoredToken[] {
  return stopToken ? [...replyTokens, stopToken] : replyTokens
}

function describe(done: Completed, { served, request }: OpenedCompletion) {
  const replyTokens = sampledTokens(done)
  if (replyTokens.length === 0 && done.tokens.reply > 0) throw noIds(served.name)
  return { token_ids: replyTokens.map(({ id }) => id), logprobs: wantsLogprobs(request) ? logprobsOf(replyTokens) : null, ...nothingRouted }
}

function streamIds(
  opened: OpenedCompletion,
  head: object,
  options: { usage: boolean; running: boolean },
  client: AbortSignal,
): Promise<RouteResult> {
  const { server, served, request } = opened
  return streamEvents(
    client,
    async (send, stop) => {
      const { usage } = await answerAll(opened.choices, served, stop, async (choice, signal) => {
        let ids = 0
        const sendIds = (tokens: readonly ScoredToken[], finish: string | null, prompt: number) => {
          ids += tokens.length
          const counted = { prompt_tokens: prompt, completion_tokens: ids, total_tokens: prompt + ids }
          const logprobs = wantsLogprobs(request) && tokens.length > 0 ? logprobsOf(tokens) : null
          const choices = [
            { index: choice.index, logprobs, finish_reason: finish, token_ids: tokens.map(({ id }) => id), ...nothingRouted },
          ]
          send({ ...head, choices, usage: options.running ? counted : null })
        }
        const prompt = (choice.given as readonly number[]).length
        // The last token waits for the reason that the reply ended with.
        let last: ScoredToken | undefined
        const pass = (token: ScoredToken) => {
          if (last) sendIds([last], null, prompt)
          last = token
        }
        const byId = (id: number) => pass({ id, logProbability: null })
        const events = wantsLogprobs(request) ? { onToken: pass } : { onId: byId }
        const done = await complete(opened, choice, { signal, events })
        if (last === undefined && done.tokens.reply > 0) throw noIds(served.name)
        if (done.stopToken) pass(done.stopToken)
        sendIds(last ? [last] : [], done.finish, prompt)
        return { answer: undefined, tokens: done.tokens }
      })
      if (options.usage) send({ ...head, choices: [], usage })
    },
    server.failed,
  )
}

function wantsLogprobs({ logprobs }: OpenedCompletion['request']): boolean {
  return logprobs !== undefined && logprobs !== null && logprobs !== false
}

/** vLLM's bound: minus infinity is not JSON. */
const leastLogprob = -9999

function logprobsOf(tokens: readonly ScoredToken[]) {
  const named = (id: number, logprob: number | null) => ({
    token: `token_id:${id}`,
    logprob: Math.max(leastLogprob, logprob ?? leastLogprob),
    bytes: null,
  })
  return {
    content: tokens.map(({ id, logProbability, top }) => ({
      ...named(id, logProbability),
      top_logprobs: [
        named(id, logProbability),
        ...(top ?? []).filter((one) => one.id !== id).map((one) => named(one.id, one.logProbability)),
      ],
    })),
  }
}

function noIds(name: string): ApiError {
  return badField('model', `the server of ${name} returns text without token ids`, 'unsupported')
}
