import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { LikelyToken } from '../../model/language-model/language-model.ts'
import { type ApiError, badField } from '../api-error.ts'

/** A token of a prompt or a reply with its log-probability. */
export type ScoredToken = {
  id: number
  logProbability: number | null
  top?: readonly LikelyToken[] | null
  /** If its id is not known. */
  text?: string
  /** Its offset in the returned text; by default the end of the previous token. */
  at?: number
}

/** Log-probabilities in /v1/completions. */
export type LogProbabilities = {
  tokens: string[]
  token_logprobs: (number | null)[]
  top_logprobs: (Record<string, number> | null)[] | null
  /** Offset of each token in the returned text, in characters. */
  text_offset: number[]
}

export type LogProbabilityOptions = {
  tokenizer: Tokenizer | undefined
  /** Number of alternatives requested. */
  top: number
  asIds: boolean
}

/** `offset`: the number of characters before these tokens. */
export function completionLogProbabilities(
  tokens: readonly ScoredToken[],
  offset: number,
  { tokenizer, top, asIds }: LogProbabilityOptions,
): LogProbabilities {
  const name = (id: number) => tokenText(id, tokenizer, asIds)
  const isKnown = tokens.some((token) => token.top)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let at = offset
  return {
    tokens: tokens.map(({ id, text }) => text ?? name(id)),
    token_logprobs: tokens.map(({ logProbability }) => logProbability),
    top_logprobs:
      top === 0 || !isKnown
        ? null
        : tokens.map(({ id, logProbability, top: likely }) =>
            likely ? Object.fromEntries([...likely, { id, logProbability }].map((one) => [name(one.id), one.logProbability ?? 0])) : null,
          ),
    text_offset: tokens.map(({ id, at: given }) => {
      const begin = given ?? at
      at = begin + (tokenizer ? [...decoder.decode(tokenizer.bytesOf(id), { stream: true })].length : 0)
      return begin
    }),
  }
}

/** The error if a model does not return log-probabilities of `a prompt` or `a reply`. */
export function logProbabilitiesUnsupported(name: string, of: string, param: string): ApiError {
  return badField(param, `${name} does not return log-probabilities of ${of}`, 'unsupported')
}

/** Log-probabilities of a prompt in vLLM's shape: by id, with the rank if known. */
export function promptLogProbabilities(tokens: readonly ScoredToken[], tokenizer: Tokenizer | undefined) {
  return tokens.map(({ id, logProbability, top }) => {
    if (logProbability === null) return null
    const rank = (top ?? []).findIndex((one) => one.id === id) + 1
    const chosen = { id, logProbability, ...(rank > 0 ? { rank } : {}) }
    const others = (top ?? []).map((one, index) => ({ ...one, rank: index + 1 })).filter((one) => one.id !== id)
    return Object.fromEntries(
      [chosen, ...others].map((one) => [
        one.id,
        { logprob: one.logProbability, rank: one.rank, decoded_token: tokenText(one.id, tokenizer) },
      ]),
    )
  })
}

/** A token's name in log-probabilities: its text, its bytes if they are not whole characters, or its id without a tokenizer. */
export function tokenText(id: number, tokenizer: Pick<Tokenizer, 'bytesOf'> | undefined, asIds = false): string {
  if (asIds || tokenizer === undefined) return `token_id:${id}`
  const bytes = tokenizer.bytesOf(id)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return `bytes:${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`
  }
}
