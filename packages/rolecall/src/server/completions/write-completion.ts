import { answerAll } from '../answer-all.ts'
import { newId } from '../new-id.ts'
import type { RouteResult } from '../request-env.ts'
import type { ServedModel } from '../served-model.ts'
import { streamEvents } from '../stream-events.ts'
import { type Completed, type CompletionEvents, complete, topOf } from './complete.ts'
import type { CompletionRequest } from './completion-request.ts'
import { completionLogProbabilities, promptLogProbabilities, type ScoredToken } from './log-probabilities.ts'
import type { Choice, OpenedCompletion } from './open-completion.ts'

/** Answers a request in the shape of OpenAI's completions. */
export function writeCompletion(opened: OpenedCompletion, client: AbortSignal): Promise<RouteResult> {
  const { server, served, request } = opened
  const head = { id: newId('cmpl'), object: 'text_completion', created: Math.floor(server.now() / 1000), model: served.name }
  return request.stream ? stream(opened, head, client) : answerWhole(opened, head, client)
}

/** Writes a choice while it is generated. */
type ChoiceWriter<Answer> = { events?: CompletionEvents; end(done: Completed): Answer }

function writeChoices<Answer>(opened: OpenedCompletion, signal: AbortSignal, writerOf: (choice: Choice) => ChoiceWriter<Answer>) {
  return answerAll(opened.choices, opened.served, signal, async (choice, stop) => {
    const { events, end } = writerOf(choice)
    const done = await complete(opened, choice, { signal: stop, events })
    return { answer: end(done), tokens: done.tokens }
  })
}

async function answerWhole(opened: OpenedCompletion, head: object, client: AbortSignal): Promise<RouteResult> {
  const { request, served } = opened
  const { answers: choices, usage } = await writeChoices(opened, client, (choice) => ({
    end: (done) => describeChoice(choice, done, request, served),
  }))
  return { response: Response.json({ ...head, choices, usage }) }
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

function stream(opened: OpenedCompletion, head: object, client: AbortSignal): Promise<RouteResult> {
  const { server, served, request } = opened
  const wantsUsage = request.stream_options?.include_usage === true
  const wantsTokens = topOf(request.logprobs) !== undefined
  return streamEvents(
    client,
    async (send, stop) => {
      const sendChoice = (choice: object) => send({ ...head, choices: [choice], ...(wantsUsage ? { usage: null } : {}) })
      const { usage } = await writeChoices(opened, stop, ({ index }) => {
        let tokens: ScoredToken[] = []
        let characters = 0
        const sendText = (text: string, finish: string | null, more: object = {}) => {
          const logprobs =
            wantsTokens && tokens.length > 0 ? completionLogProbabilities(tokens, characters, logProbabilityOptions(request, served)) : null
          tokens = []
          characters += [...text].length
          sendChoice({ index, text, logprobs, finish_reason: finish, ...more })
        }
        return {
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
          end: ({ finish }) => sendText('', finish),
        }
      })
      if (wantsUsage) send({ ...head, choices: [], usage })
    },
    server.failed,
  )
}
