import type { RouteResult } from '../admission.ts'
import { ApiError } from '../api-error.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { checkBody } from '../read-body.ts'
import { findModel, replyConcurrency, type ServedModel } from '../served-model.ts'
import { newId, type ServerContext } from '../server-context.ts'
import { streamEvents } from '../stream-events.ts'
import { Usage } from '../usage.ts'
import { type Choice, type Completed, complete, topOf } from './complete.ts'
import { type CompletionRequest, completionRequest } from './completion-request.ts'
import { completionLogProbabilities, promptLogProbabilities, type ScoredToken } from './log-probabilities.ts'
import { promptsOf } from './raw-prompt.ts'

/** POST /v1/completions: finished prompts, as text or token ids. */
export async function completionsRoute(server: ServerContext, text: string, client: AbortSignal): Promise<RouteResult> {
  const request = checkBody(text, completionRequest)
  const served = findModel(server.models, request.model)
  const choices = choicesOf(request, server)
  const base = { id: newId('cmpl'), object: 'text_completion', created: Math.floor(server.now() / 1000), model: served.name }
  if (request.stream) return streamChoices(server, served, request, choices, base, client)
  const usage = new Usage()
  const answers = await mapConcurrently(choices, replyConcurrency(served, client), async (choice, signal) => {
    const done = await complete(server, served, request, choice, { signal })
    usage.add(done.tokens, choice.reply === 0)
    return describeChoice(choice, done, request, served)
  })
  return { response: Response.json({ ...base, choices: answers, usage: usage.toJson() }) }
}

function choicesOf(request: CompletionRequest, { limits }: ServerContext): Choice[] {
  const prompts = promptsOf(request)
  const each = request.n ?? 1
  if (prompts.length * each > limits.choices) {
    throw new ApiError(400, {
      message: `${prompts.length} prompts with ${each} replies each exceed the limit of ${limits.choices} at once`,
      param: prompts.length > 1 ? 'prompt' : 'n',
      code: 'too_many_choices',
    })
  }
  return prompts.flatMap((given, prompt) =>
    Array.from({ length: each }, (_, reply) => ({ index: prompt * each + reply, given, prompt, reply })),
  )
}

function describeChoice({ index, given }: Choice, done: Completed, request: CompletionRequest, served: ServedModel) {
  const top = topOf(request.logprobs)
  const tokens = [...(request.echo ? (done.promptTokens ?? []) : []), ...withOffset(done.replyTokens, done.promptText)]
  return {
    index,
    text: done.promptText + done.text,
    logprobs: top === undefined ? null : completionLogProbabilities(tokens, 0, logProbabilityOptions(request, served)),
    finish_reason: done.finish,
    ...(typeof request.prompt_logprobs === 'number'
      ? { prompt_logprobs: promptLogProbabilities(done.promptTokens ?? [], served.model.tokenizer) }
      : {}),
    ...(request.return_token_ids
      ? {
          token_ids: done.replyTokens.map(({ id }) => id),
          prompt_token_ids: typeof given === 'string' ? (done.promptTokens?.map(({ id }) => id) ?? null) : given,
        }
      : {}),
  }
}

/** Sets the offset of the first reply token, which follows the echoed prompt. */
function withOffset([first, ...rest]: readonly ScoredToken[], promptText: string): ScoredToken[] {
  return first === undefined ? [] : [{ ...first, at: [...promptText].length }, ...rest]
}

function logProbabilityOptions(request: CompletionRequest, { model: { tokenizer } }: ServedModel) {
  return { tokenizer, top: topOf(request.logprobs) ?? 0, asIds: request.return_tokens_as_token_ids === true }
}

function streamChoices(
  server: ServerContext,
  served: ServedModel,
  request: CompletionRequest,
  choices: readonly Choice[],
  base: object,
  client: AbortSignal,
): Promise<RouteResult> {
  const usage = new Usage()
  const wantsUsage = request.stream_options?.include_usage === true
  const wantsTokens = topOf(request.logprobs) !== undefined
  return streamEvents(
    client,
    async (send, stop) => {
      const sendChoice = (choice: object) => send({ ...base, choices: [choice], ...(wantsUsage ? { usage: null } : {}) })
      await mapConcurrently(choices, replyConcurrency(served, stop), async (choice, signal) => {
        let tokens: ScoredToken[] = []
        let characters = 0
        const sendText = (text: string, finish: string | null, more: object = {}) => {
          const logprobs =
            wantsTokens && tokens.length > 0 ? completionLogProbabilities(tokens, characters, logProbabilityOptions(request, served)) : null
          tokens = []
          characters += [...text].length
          sendChoice({ index: choice.index, text, logprobs, finish_reason: finish, ...more })
        }
        const done = await complete(server, served, request, choice, {
          signal,
          events: {
            onPrompt: (text, scored) => {
              if (request.echo) tokens.push(...(scored ?? []))
              const more =
                typeof request.prompt_logprobs === 'number'
                  ? { prompt_logprobs: promptLogProbabilities(scored ?? [], served.model.tokenizer) }
                  : {}
              if (request.echo || 'prompt_logprobs' in more) sendText(text, null, more)
            },
            onText: (text) => sendText(text, null),
            onToken: (token) => tokens.push(token),
          },
        })
        sendText('', done.finish)
        usage.add(done.tokens, choice.reply === 0)
      })
      if (wantsUsage) send({ ...base, choices: [], usage: usage.toJson() })
    },
    server.failed,
  )
}
