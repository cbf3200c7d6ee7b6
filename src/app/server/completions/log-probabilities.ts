import type { LikelyToken } from '../../../model/language-model/language-model.ts'
import type { Tokenizer } from '../../../prompt/tokenizer/tokenizer.ts'

/** A token of a prompt or a reply, and how likely it was. */
export type ScoredToken = {
  id: number
  logProbability: number | null
  top?: readonly LikelyToken[] | null
  /** Where its id is not known. */
  text?: string
  /** Where it begins in the text that comes back; by default where the one before it ends. */
  at?: number
}

/** Log-probabilities as /v1/completions tells them. */
export type LogProbabilities = {
  tokens: string[]
  token_logprobs: (number | null)[]
  top_logprobs: (Record<string, number> | null)[] | null
  /** Where each token begins in the text that comes back, in characters. */
  text_offset: number[]
}

export type TellOptions = {
  tokenizer: Tokenizer | undefined
  /** How many of the likeliest tokens were asked for. */
  top: number
  asIds: boolean
}

/** `offset`: how many characters of the text come before these tokens. */
export function tellLogProbabilities(
  tokens: readonly ScoredToken[],
  offset: number,
  { tokenizer, top, asIds }: TellOptions,
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

/** vLLM's way to tell the same of a prompt: by id, with the rank where it is known. */
export function tellPromptLogProbabilities(tokens: readonly ScoredToken[], tokenizer: Tokenizer | undefined) {
  return tokens.map(({ id, logProbability, top }) => {
    if (logProbability === null) return null
    const rank = (top ?? []).findIndex((one) => one.id === id) + 1
    const own = { id, logProbability, ...(rank > 0 ? { rank } : {}) }
    const others = (top ?? []).map((one, index) => ({ ...one, rank: index + 1 })).filter((one) => one.id !== id)
    return Object.fromEntries(
      [own, ...others].map((one) => [one.id, { logprob: one.logProbability, rank: one.rank, decoded_token: tokenText(one.id, tokenizer) }]),
    )
  })
}

/** A token as log-probabilities name it: by its text; by its bytes where it holds only some of a character's; by its id where no tokenizer is known. */
export function tokenText(id: number, tokenizer: Pick<Tokenizer, 'bytesOf'> | undefined, asIds = false): string {
  if (asIds || tokenizer === undefined) return `token_id:${id}`
  const bytes = tokenizer.bytesOf(id)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return `bytes:${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`
  }
}
