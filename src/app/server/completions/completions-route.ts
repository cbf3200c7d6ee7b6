import type { Answer } from '../admission.ts'
import { ApiError } from '../api-error.ts'
import { workOn } from '../map-concurrently.ts'
import { checkBody } from '../read-body.ts'
import { findModel, type ServedModel, workersOf } from '../served-model.ts'
import { newId, type Serving } from '../server-context.ts'
import { streamEvents } from '../stream-events.ts'
import { Usage } from '../usage.ts'
import { type Choice, type Completed, complete, topOf } from './complete.ts'
import { type CompletionRequest, completionRequest } from './completion-request.ts'
import { type ScoredToken, tellLogProbabilities, tellPromptLogProbabilities } from './log-probabilities.ts'
import { promptsOf } from './raw-prompt.ts'

/** POST /v1/completions: prompts that are already written out, as text or as token ids. */
export async function completionsRoute(serving: Serving, text: string, client: AbortSignal): Promise<Answer> {
  const request = checkBody(text, completionRequest)
  const served = findModel(serving.models, request.model)
  const choices = choicesOf(request, serving)
  const base = { id: newId('cmpl'), object: 'text_completion', created: Math.floor(serving.now() / 1000), model: served.name }
  if (request.stream) return streamChoices(serving, served, request, choices, base, client)
  const usage = new Usage()
  const answers = await workOn(choices, workersOf(served, client), async (choice, signal) => {
    const done = await complete(serving, served, request, choice, { signal })
    usage.add(done.tokens, choice.reply === 0)
    return tellChoice(choice, done, request, served)
  })
  return { response: Response.json({ ...base, choices: answers, usage: usage.tell() }) }
}

function choicesOf(request: CompletionRequest, { limits }: Serving): Choice[] {
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

function tellChoice({ index, given }: Choice, done: Completed, request: CompletionRequest, served: ServedModel) {
  const top = topOf(request.logprobs)
  const tokens = [...(request.echo ? (done.promptTokens ?? []) : []), ...placed(done.replyTokens, done.promptText)]
  return {
    index,
    text: done.promptText + done.text,
    logprobs: top === undefined ? null : tellLogProbabilities(tokens, 0, tellOptions(request, served)),
    finish_reason: done.finish,
    ...(typeof request.prompt_logprobs === 'number'
      ? { prompt_logprobs: tellPromptLogProbabilities(done.promptTokens ?? [], served.model.tokenizer) }
      : {}),
    ...(request.return_token_ids
      ? {
          token_ids: done.replyTokens.map(({ id }) => id),
          prompt_token_ids: typeof given === 'string' ? (done.promptTokens?.map(({ id }) => id) ?? null) : given,
        }
      : {}),
  }
}

/** The reply's first token stands after the prompt that comes back. */
function placed([first, ...rest]: readonly ScoredToken[], promptText: string): ScoredToken[] {
  return first === undefined ? [] : [{ ...first, at: [...promptText].length }, ...rest]
}

function tellOptions(request: CompletionRequest, { model: { tokenizer } }: ServedModel) {
  return { tokenizer, top: topOf(request.logprobs) ?? 0, asIds: request.return_tokens_as_token_ids === true }
}

function streamChoices(
  serving: Serving,
  served: ServedModel,
  request: CompletionRequest,
  choices: readonly Choice[],
  base: object,
  client: AbortSignal,
): Promise<Answer> {
  const usage = new Usage()
  const wantsUsage = request.stream_options?.include_usage === true
  const wantsTokens = topOf(request.logprobs) !== undefined
  return streamEvents(
    client,
    async (send, stop) => {
      const tell = (choice: object) => send({ ...base, choices: [choice], ...(wantsUsage ? { usage: null } : {}) })
      await workOn(choices, workersOf(served, stop), async (choice, signal) => {
        let tokens: ScoredToken[] = []
        let characters = 0
        const tellText = (text: string, finish: string | null, more: object = {}) => {
          const logprobs = wantsTokens && tokens.length > 0 ? tellLogProbabilities(tokens, characters, tellOptions(request, served)) : null
          tokens = []
          characters += [...text].length
          tell({ index: choice.index, text, logprobs, finish_reason: finish, ...more })
        }
        const done = await complete(serving, served, request, choice, {
          signal,
          events: {
            onPrompt: (text, scored) => {
              if (request.echo) tokens.push(...(scored ?? []))
              const more =
                typeof request.prompt_logprobs === 'number'
                  ? { prompt_logprobs: tellPromptLogProbabilities(scored ?? [], served.model.tokenizer) }
                  : {}
              if (request.echo || 'prompt_logprobs' in more) tellText(text, null, more)
            },
            onText: (text) => tellText(text, null),
            onToken: (token) => tokens.push(token),
          },
        })
        tellText('', done.finish)
        usage.add(done.tokens, choice.reply === 0)
      })
      if (wantsUsage) send({ ...base, choices: [], usage: usage.tell() })
    },
    serving.failed,
  )
}
