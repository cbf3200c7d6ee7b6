import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import type { Token } from '@rolecall/core/internal/tokenizer'
import { z } from 'zod'
import type { ScoredPrompt } from '../language-model/language-model.ts'
import { alignTokens, tokensAt, unknownId } from './align-tokens.ts'
import { BadReply } from './http/http-client.ts'
import type { BodyFields, Sent } from './request-body.ts'
import { parsed } from './server-reply-part.ts'

/** A way to score a prompt: the API's own, where some servers must generate a token, or vLLM's. */
export type ScoreMethod = { by: 'echo'; maxTokens: 0 | 1 } | { by: 'prompt_logprobs'; maxTokens: 1 }

export const scoreMethods: readonly ScoreMethod[] = [
  { by: 'echo', maxTokens: 0 },
  { by: 'echo', maxTokens: 1 },
  { by: 'prompt_logprobs', maxTokens: 1 },
]

export function scoreFields(model: string, { by, maxTokens }: ScoreMethod): BodyFields {
  const fields = { model, max_tokens: maxTokens, temperature: 0 }
  // 0: only the prompt's tokens. With more, JSON does not show which one is the prompt's.
  return by === 'echo' ? { ...fields, echo: true, logprobs: 1 } : { ...fields, prompt_logprobs: 0 }
}

/** The prompt that was sent, and its tokens if known. */
export type SentPrompt = { prompt: Prompt & { kind: 'completion' }; sent: Sent; tokens?: readonly Token[]; notes: readonly Note[] }

/** Whether a prompt has neither context nor answer, so that no request is needed. */
export function isEmptyAnswer({ needsPrefix, pieces }: Prompt & { kind: 'completion' }): boolean {
  return needsPrefix === true && pieces.every((piece) => 'text' in piece && piece.text === '')
}

export const emptyScore: ScoredPrompt = { tokens: [], logProbabilities: [], isLikeliest: [], reused: 0, notes: [] }

/** A response without the prompt's log-probabilities; a retry would not help. */
export class CannotScore extends Error {
  override readonly name = 'CannotScore'
}

const echoed = z.looseObject({
  tokens: z.array(z.string()).nullish(),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish().catch(undefined),
})
const onePromptToken = z
  .record(z.string(), z.looseObject({ logprob: z.number(), decoded_token: z.string().nullish(), rank: z.number().nullish() }))
  .nullable()
const scoredSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({ text: z.string().nullish(), logprobs: z.unknown().optional(), prompt_logprobs: z.array(onePromptToken).nullish() }),
    )
    .min(1),
  prompt_logprobs: z.array(onePromptToken).nullish(),
  usage: z.looseObject({ prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish() }).nullish(),
})

/** A server's tokens and their values: those of the prompt, and possibly a generated one. */
type ServerTokens = {
  values: readonly (number | null)[]
  /** Whether each was the likeliest at its position, if the server reports it. */
  isLikeliest?: readonly (boolean | null)[] | undefined
  texts?: readonly (string | undefined)[]
  ids?: readonly number[]
}

/** Reads a prompt's log-probabilities, and verifies that they are those of this prompt. */
export function readScored(json: string, method: ScoreMethod, { prompt, sent, tokens, notes }: SentPrompt): ScoredPrompt {
  const read = scoredSchema.safeParse(parsed(json))
  if (!read.success) throw new BadReply(`its answer is not of the API's shape: ${json.slice(0, 200)}`)
  const { choices, usage, prompt_logprobs: beside } = read.data
  const [choice] = choices
  const reused = usage?.prompt_tokens_details?.cached_tokens ?? 0
  const given = method.by === 'echo' ? echoedTokens(choice!.logprobs) : promptTokens(choice!.prompt_logprobs ?? beside, sent)
  if ('ids' in sent) {
    const logProbabilities = valuesOf(given, sent.ids.length, method.maxTokens)
    return { tokens: tokens!, logProbabilities, isLikeliest: given.isLikeliest?.slice(0, sent.ids.length), reused, notes }
  }
  if (!given.texts) throw new CannotScore('it does not report its tokens, so it is unknown what was scored')
  const spans = alignTokens(given.texts, sent.text)
  if (!spans) throw new CannotScore(mismatch(given.texts, sent.text))
  const [first, second] = given.texts
  if (spans[0]?.[1] === 0 && first !== undefined && first === second) {
    throw new CannotScore(`it puts ${JSON.stringify(first)} before a prompt that starts with it`)
  }
  const logProbabilities = valuesOf(given, spans.length, method.maxTokens)
  const isLikeliest = given.isLikeliest?.slice(0, spans.length)
  return { tokens: tokensAt(spans, prompt.pieces, given.ids), logProbabilities, isLikeliest, reused, notes }
}

function echoedTokens(logprobs: unknown): ServerTokens {
  const read = echoed.safeParse(logprobs)
  if (!read.success) throw new CannotScore('it gives no log-probabilities of the prompt')
  const { tokens, token_logprobs: values, top_logprobs: top } = read.data
  return {
    values,
    isLikeliest: top?.length === values.length ? values.map((own, index) => isHighest(own, top[index])) : undefined,
    texts: tokens ?? undefined,
  }
}

/** Servers return the likeliest token in addition to the prompt's; the two may be the same. */
function isHighest(own: number | null, others: Readonly<Record<string, number>> | null | undefined): boolean | null {
  const values = Object.values(others ?? {})
  return own === null || values.length === 0 ? null : own >= Math.max(...values)
}

function promptTokens(given: z.output<typeof onePromptToken>[] | null | undefined, sent: Sent): ServerTokens {
  if (!given) throw new CannotScore('it gives no prompt_logprobs')
  const own = given.map((token, index) => {
    if (token === null) return undefined
    const entries = Object.entries(token)
    const wanted = 'ids' in sent ? entries.find(([id]) => Number(id) === sent.ids[index]) : entries.length === 1 ? entries[0] : undefined
    if (!wanted) throw new CannotScore('its prompt_logprobs are not those of the tokens that were sent')
    return { id: Number(wanted[0]), text: wanted[1].decoded_token ?? '', value: wanted[1].logprob, rank: wanted[1].rank }
  })
  return {
    values: own.map((token) => token?.value ?? null),
    isLikeliest: own.every((token) => token === undefined || typeof token.rank === 'number')
      ? own.map((token) => (token ? token.rank === 1 : null))
      : undefined,
    texts: own.map((token) => token?.text),
    ids: own.map((token) => token?.id ?? unknownId),
  }
}

/** The values of the prompt's tokens: one per token, all numbers except the first. */
function valuesOf({ values }: ServerTokens, count: number, generated: number): (number | null)[] {
  if (values.length < count || values.length > count + generated) {
    throw new CannotScore(`it gives log-probabilities of ${values.length} tokens, and the prompt has ${count}`)
  }
  // Some servers return 0 for the first token.
  const [, ...rest] = values.slice(0, count)
  for (const value of rest) {
    if (value === null || !Number.isFinite(value) || value > 0.001) {
      throw new CannotScore(`it gives ${value} as the log-probability of a token of the prompt`)
    }
  }
  return count === 0 ? [] : [null, ...(rest as number[])]
}

function mismatch(tokens: readonly (string | undefined)[], text: string): string {
  const shown = tokens.slice(0, 5).map((token) => JSON.stringify(token ?? '?'))
  return `its tokens do not spell the prompt: it has ${shown.join(', ')}${tokens.length > 5 ? ', …' : ''} for ${JSON.stringify(text.slice(0, 40))}`
}
