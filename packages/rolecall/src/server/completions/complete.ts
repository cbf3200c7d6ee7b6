import { decodeTokens } from '@rolecall/core/internal/tokenizer'
import type { GenerateOptions, ModelReply } from '../../model/language-model/language-model.ts'
import { badField } from '../api-error.ts'
import { countTokens, refuseOversizedPrompt } from '../prompt-length.ts'
import { asIds, type ReadyPrompt } from '../prompts/as-ids.ts'
import { checkConstraint, constraintOf } from '../response-format.ts'
import { fieldsToForward, requestSampling, stopTextsOf } from '../sampling-request.ts'
import type { ServedModel } from '../served-model.ts'
import type { ServerContext } from '../server-context.ts'
import { withDeadline } from '../with-deadline.ts'
import type { CompletionRequest } from './completion-request.ts'
import { logProbabilitiesUnsupported, type ScoredToken } from './log-probabilities.ts'
import { rawPrompt, stopTokens } from './raw-prompt.ts'

/** One reply to one prompt of a request. */
export type Choice = {
  index: number
  given: string | readonly number[]
  /** The index of the prompt, and of the reply among those to this prompt. */
  prompt: number
  reply: number
}

export type Completed = {
  /** The prompt for `echo`, else empty. */
  promptText: string
  /** The prompt's tokens, if requested. */
  promptTokens?: readonly ScoredToken[]
  replyTokens: readonly ScoredToken[]
  text: string
  finish: 'stop' | 'length'
  tokens: ModelReply['tokens']
}

/** Progress of a choice. */
export type CompletionEvents = {
  onPrompt?: (text: string, tokens: readonly ScoredToken[] | undefined) => void
  onText?: (text: string) => void
  onToken?: (token: ScoredToken) => void
}

/** Number of alternatives to return per token; undefined if log-probabilities are not requested. */
export function topOf(logprobs: CompletionRequest['logprobs']): number | undefined {
  if (logprobs === undefined || logprobs === null || logprobs === false) return undefined
  return logprobs === true ? 0 : logprobs
}

/** Generates one choice; scores its prompt if requested. */
export async function complete(
  server: ServerContext,
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
  refuseOversizedPrompt(prompt, served)
  const forwarded = fieldsToForward(request, served)
  const constraint = constraintOf(request)
  await checkConstraint(constraint, served, { client: server.client, signal })
  const top = topOf(request.logprobs)
  const wantsPrompt = typeof request.prompt_logprobs === 'number' || (top !== undefined && request.echo === true)
  const maxTokens = request.max_tokens ?? 16
  const start = server.now()
  let hasStarted = false
  const reportStart = () => {
    if (!hasStarted) server.observer.first(served.name, server.now() - start)
    hasStarted = true
  }
  return served.queue.run(
    () =>
      withDeadline(signal, server.limits.seconds, async (stop) => {
        const promptText = request.echo ? echoOf(choice.given, served) : ''
        const ready = await asIds(prompt, served, server, { signal: stop })
        const promptTokens = wantsPrompt ? await scorePrompt(ready, choice.given, request, served, stop) : undefined
        events.onPrompt?.(promptText, promptTokens)
        let streamedTokens = 0
        const options: GenerateOptions = {
          maxTokens,
          minTokens: request.min_tokens ?? 0,
          stopTexts: stopTextsOf(request.stop, served.config),
          sampling: requestSampling(request, served.config, choice.reply, server.randomSeed),
          constraint,
          guides: served.guides(server.client),
          forwarded,
          signal: stop,
          onText: (text) => {
            reportStart()
            events.onText?.(text)
          },
          topTokens: top,
          ...(events.onToken && top !== undefined
            ? {
                onToken: (token) => {
                  streamedTokens++
                  events.onToken!(token)
                },
              }
            : {}),
        }
        // Scoring only: a prompt as long as the context can be scored, but not continued.
        if (maxTokens === 0) {
          const count = promptTokens?.length ?? (await countTokens(prompt, served, server, stop)) ?? 0
          const tokens = { prompt: count, reused: 0, reply: 0 }
          server.observer.reply(served.name, tokens, choice.reply === 0)
          return { promptText, promptTokens, replyTokens: [], text: '', finish: 'length', tokens }
        }
        const reply = await model.generate(ready.prompt, options)
        reportStart()
        server.observer.reply(served.name, reply.tokens, choice.reply === 0)
        if (top !== undefined && (reply.logProbabilities === undefined || reply.ids === undefined))
          throw logProbabilitiesUnsupported(served.name, 'a reply', 'logprobs')
        const replyTokens = scoredTokens(reply)
        for (const token of replyTokens.slice(streamedTokens)) if (top !== undefined) events.onToken?.(token)
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
  { prompt, encoded }: ReadyPrompt,
  given: Choice['given'],
  request: CompletionRequest,
  served: ServedModel,
  signal: AbortSignal,
): Promise<ScoredToken[]> {
  const { model, name } = served
  if (!model.score) throw logProbabilitiesUnsupported(name, 'a prompt', request.echo ? 'logprobs' : 'prompt_logprobs')
  const topTokens = Math.max(topOf(request.logprobs) ?? 0, request.prompt_logprobs ?? 0)
  const [scored] = await model.score([prompt], { topTokens, signal })
  const offsets = typeof given === 'string' ? codePointOffsets(given) : undefined
  return scored!.tokens.map(({ id, span: [start, end] }, index) => ({
    id,
    // Some servers return the text of tokens without their ids.
    ...(id < 0 && typeof given === 'string' ? { text: given.slice(start, end) } : {}),
    logProbability: scored!.logProbabilities[index] ?? null,
    ...(scored!.topTokens ? { top: scored!.topTokens[index] ?? null } : {}),
    ...(offsets ? { at: offsets[encoded?.spans[2 * index] ?? start]! } : {}),
  }))
}

/** Maps UTF-16 offsets to offsets in code points. */
function codePointOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    offsets[at] = count
    const code = text.charCodeAt(at)
    const isHalf = code >= 0xd800 && code < 0xdc00 && at + 1 < text.length && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    if (!isHalf) count++
  }
  offsets[text.length] = count
  return offsets
}

function scoredTokens({ ids = [], logProbabilities = [], topTokens }: ModelReply): ScoredToken[] {
  return ids.map((id, index) => ({
    id,
    logProbability: logProbabilities[index] ?? null,
    ...(topTokens ? { top: topTokens[index] ?? null } : {}),
  }))
}

function echoOf(given: Choice['given'], { model: { tokenizer }, name }: ServedModel): string {
  if (typeof given === 'string') return given
  if (tokenizer) return decodeTokens(given, tokenizer)
  throw badField('echo', `token ids cannot be decoded: the tokenizer of ${name} is not available here`, 'unsupported')
}
