import type { GenerateOptions, Reply } from '../../../model/language-model/language-model.ts'
import { decodeTokens } from '../../../prompt/tokenizer/token-decoder.ts'
import { ApiError } from '../api-error.ts'
import { refuseHopeless } from '../hopeless.ts'
import { noLogProbabilities } from '../no-log-probabilities.ts'
import { countTokens } from '../prompt-length.ts'
import { checkConstraint, constraintOf } from '../response-format.ts'
import { requestSampling, stopTextsOf } from '../sampling-request.ts'
import type { ServedModel } from '../served-model.ts'
import type { Serving } from '../server-context.ts'
import { withDeadline } from '../with-deadline.ts'
import type { CompletionRequest } from './completion-request.ts'
import type { ScoredToken } from './log-probabilities.ts'
import { type CompletionPrompt, rawPrompt, stopTokens } from './raw-prompt.ts'

/** One prompt of a request, asked once. */
export type Choice = {
  index: number
  given: string | readonly number[]
  /** The number of the prompt among several, and of the reply among those to this prompt. */
  prompt: number
  reply: number
}

export type Completed = {
  /** The prompt as it comes back with `echo`. */
  promptText: string
  /** The prompt's tokens, where they were asked for. */
  promptTokens?: readonly ScoredToken[]
  replyTokens: readonly ScoredToken[]
  text: string
  finish: 'stop' | 'length'
  tokens: Reply['tokens']
}

/** What is heard of a choice before it is done. */
export type CompletionEvents = {
  onPrompt?: (text: string, tokens: readonly ScoredToken[] | undefined) => void
  onText?: (text: string) => void
  onToken?: (token: ScoredToken) => void
}

/** How many of the likeliest tokens are to be told; undefined where log-probabilities are not asked for. */
export function topOf(logprobs: CompletionRequest['logprobs']): number | undefined {
  if (logprobs === undefined || logprobs === null || logprobs === false) return undefined
  return logprobs === true ? 0 : logprobs
}

/** Answers one choice: scores its prompt where that is asked for, and writes a reply. */
export async function complete(
  serving: Serving,
  served: ServedModel,
  request: CompletionRequest,
  choice: Choice,
  { signal, events = {} }: { signal: AbortSignal; events?: CompletionEvents },
): Promise<Completed> {
  const { model } = served
  const { tokenizer } = model
  const eos = tokenizer?.eos
  const stops = stopTokens([...(request.stop_token_ids ?? []), ...(eos === undefined ? [] : [eos])])
  const several = Array.isArray(request.prompt) && typeof request.prompt[0] !== 'number'
  const prompt = rawPrompt(
    choice.given,
    { stops, addSpecialTokens: request.add_special_tokens ?? true, ...(several ? { index: choice.prompt } : {}) },
    served,
  )
  refuseHopeless(prompt, served)
  const constraint = constraintOf(request)
  checkConstraint(constraint, served)
  const top = topOf(request.logprobs)
  const wantsPrompt = typeof request.prompt_logprobs === 'number' || (top !== undefined && request.echo === true)
  const maxTokens = request.max_tokens ?? 16
  const start = serving.now()
  let isHeard = false
  const hear = () => {
    if (!isHeard) serving.watch.first(served.name, serving.now() - start)
    isHeard = true
  }
  return served.turns.take(
    () =>
      withDeadline(signal, serving.limits.seconds, async (stop) => {
        const promptText = request.echo ? echoOf(choice.given, served) : ''
        const promptTokens = wantsPrompt ? await scorePrompt(prompt, choice.given, request, served, stop) : undefined
        events.onPrompt?.(promptText, promptTokens)
        const heard: ScoredToken[] = []
        const options: GenerateOptions = {
          maxTokens,
          minTokens: request.min_tokens ?? 0,
          stopTexts: stopTextsOf(request.stop),
          sampling: requestSampling(request, served.config, choice.reply, serving.randomSeed),
          constraint,
          signal: stop,
          onText: (text) => {
            hear()
            events.onText?.(text)
          },
          topTokens: top,
          ...(events.onToken && top !== undefined
            ? {
                onToken: (token) => {
                  heard.push(token)
                  events.onToken!(token)
                },
              }
            : {}),
        }
        // Without a reply there is nothing to ask, and a prompt as long as the context is still worth a score.
        if (maxTokens === 0) {
          const count = promptTokens?.length ?? countTokens(prompt, served) ?? 0
          serving.watch.reply(served.name, { prompt: count, reused: 0, reply: 0 }, choice.reply === 0)
          return {
            promptText,
            promptTokens,
            replyTokens: [],
            text: '',
            finish: 'length',
            tokens: { prompt: count, reused: 0, reply: 0 },
          }
        }
        const reply = await model.generate(prompt, options)
        hear()
        serving.watch.reply(served.name, reply.tokens, choice.reply === 0)
        if (top !== undefined && (reply.logProbabilities === undefined || reply.ids === undefined))
          throw noLogProbabilities(served.name, 'a reply', 'logprobs')
        const replyTokens = scoredTokens(reply)
        for (const token of replyTokens.slice(heard.length)) if (top !== undefined) events.onToken?.(token)
        return {
          promptText,
          promptTokens,
          replyTokens,
          text: reply.text,
          finish: reply.finish === 'stop' ? 'stop' : 'length',
          tokens: reply.tokens,
        }
      }),
    signal,
  )
}

async function scorePrompt(
  prompt: CompletionPrompt,
  given: Choice['given'],
  request: CompletionRequest,
  served: ServedModel,
  signal: AbortSignal,
): Promise<ScoredToken[]> {
  const { model, name } = served
  if (!model.score) throw noLogProbabilities(name, 'a prompt', request.echo ? 'logprobs' : 'prompt_logprobs')
  const topTokens = Math.max(topOf(request.logprobs) ?? 0, request.prompt_logprobs ?? 0)
  const [scored] = await model.score([prompt], { topTokens, signal })
  const places = typeof given === 'string' ? codePointPlaces(given) : undefined
  return scored!.tokens.map(({ id, span: [start, end] }, index) => ({
    id,
    // A server that tells its tokens only by their texts.
    ...(id < 0 && typeof given === 'string' ? { text: given.slice(start, end) } : {}),
    logProbability: scored!.logProbabilities[index] ?? null,
    ...(scored!.topTokens ? { top: scored!.topTokens[index] ?? null } : {}),
    ...(places ? { at: places[start]! } : {}),
  }))
}

/** For every place of a text in UTF-16 units, how many characters stand before it. */
function codePointPlaces(text: string): Uint32Array {
  const places = new Uint32Array(text.length + 1)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    places[at] = count
    const code = text.charCodeAt(at)
    const isHalf = code >= 0xd800 && code < 0xdc00 && at + 1 < text.length && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    if (!isHalf) count++
  }
  places[text.length] = count
  return places
}

function scoredTokens({ ids = [], logProbabilities = [], topTokens }: Reply): ScoredToken[] {
  return ids.map((id, index) => ({
    id,
    logProbability: logProbabilities[index] ?? null,
    ...(topTokens ? { top: topTokens[index] ?? null } : {}),
  }))
}

function echoOf(given: Choice['given'], { model: { tokenizer }, name }: ServedModel): string {
  if (typeof given === 'string') return given
  if (tokenizer) return decodeTokens(given, tokenizer)
  throw new ApiError(400, {
    message: `echo: the tokenizer of ${name} is not known, so ids cannot be decoded`,
    param: 'echo',
    code: 'unsupported',
  })
}
