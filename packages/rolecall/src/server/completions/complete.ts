import { decodeTokens } from '@rolecall/core/internal/tokenizer'
import type { ModelReply } from '../../model/language-model/language-model.ts'
import { badField } from '../api-error.ts'
import { inTurn } from '../in-turn.ts'
import { ObservedReply } from '../observed-reply.ts'
import { countTokens } from '../prompt-length.ts'
import { asIds, type ReadyPrompt } from '../prompts/as-ids.ts'
import { replySettings } from '../sampling-request.ts'
import type { ServedModel } from '../served-model.ts'
import { codePointOffsets } from '../token-service/code-point-offsets.ts'
import type { CompletionRequest } from './completion-request.ts'
import { logProbabilitiesUnsupported, type ScoredToken } from './log-probabilities.ts'
import type { Choice, OpenedCompletion } from './open-completion.ts'

export type Completed = {
  /** The prompt for `echo`, else empty. */
  promptText: string
  /** The prompt's tokens, if requested. */
  promptTokens?: readonly ScoredToken[]
  replyTokens: readonly ScoredToken[]
  text: string
  finish: 'stop' | 'length'
  /** The token that stopped the reply, which is not among its tokens. */
  stopToken?: ScoredToken | undefined
  /** As counted for the request: the prompt counts with its first reply. */
  tokens: ModelReply['tokens']
}

/** Progress of a choice. */
export type CompletionEvents = {
  onPrompt?: (text: string, tokens: readonly ScoredToken[] | undefined) => void
  onText?: (text: string) => void
  onToken?: (token: ScoredToken) => void
  /** Each generated id, whether or not log-probabilities are requested. */
  onId?: (id: number) => void
}

/** Number of alternatives to return per token; undefined if log-probabilities are not requested. */
export function topOf(logprobs: CompletionRequest['logprobs']): number | undefined {
  if (logprobs === undefined || logprobs === null || logprobs === false) return undefined
  return logprobs === true ? 0 : logprobs
}

/** Generates one choice; scores its prompt if requested. */
export function complete(
  { server, served, request, constraint, forwarded }: OpenedCompletion,
  choice: Choice,
  { signal, events = {} }: { signal: AbortSignal; events?: CompletionEvents },
): Promise<Completed> {
  const { model } = served
  const top = topOf(request.logprobs)
  const wantsPrompt = typeof request.prompt_logprobs === 'number' || (top !== undefined && request.echo === true)
  const maxTokens = request.max_tokens ?? 16
  const observed = new ObservedReply(server, served)
  return inTurn(server, served, signal, async (stop) => {
    const promptText = request.echo ? echoOf(choice.given, served) : ''
    const ready = await asIds(choice.prompt, served, server, { signal: stop })
    const promptTokens = wantsPrompt ? await scorePrompt(ready, choice.given, request, served, stop) : undefined
    events.onPrompt?.(promptText, promptTokens)
    // Scoring only: a prompt as long as the context can be scored, but not continued.
    if (maxTokens === 0) {
      const count = promptTokens?.length ?? (await countTokens(choice.prompt, served, server, stop)) ?? 0
      const tokens = observed.end({ prompt: count, reused: 0, reply: 0 }, choice.reply === 0)
      return { promptText, promptTokens, replyTokens: [], text: '', finish: 'length', tokens }
    }
    let streamedTokens = 0
    const onToken = (token: ScoredToken) => {
      streamedTokens++
      events.onId?.(token.id)
      if (top !== undefined) events.onToken?.(token)
    }
    const reply = await model.generate(ready.prompt, {
      ...replySettings(request, served, { choice: choice.reply, randomSeed: server.randomSeed }),
      maxTokens,
      constraint,
      guides: served.guides(server.client),
      forwarded,
      signal: stop,
      onText: (text) => {
        observed.begin()
        events.onText?.(text)
      },
      topTokens: top,
      onToken: (events.onToken && top !== undefined) || events.onId ? onToken : undefined,
    })
    observed.begin()
    const tokens = observed.end(reply.tokens, choice.reply === 0)
    if (top !== undefined && (reply.logProbabilities === undefined || reply.ids === undefined))
      throw logProbabilitiesUnsupported(served.name, 'a reply', 'logprobs')
    const replyTokens = scoredTokens(reply)
    for (const token of replyTokens.slice(streamedTokens)) onToken(token)
    const { stopToken } = reply
    return {
      promptText,
      promptTokens,
      replyTokens,
      text: reply.text,
      finish: reply.finish === 'stop' ? 'stop' : 'length',
      stopToken,
      tokens,
    }
  })
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
