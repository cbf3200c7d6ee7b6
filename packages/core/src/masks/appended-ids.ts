import type { TextPiece } from '../base/text/index.ts'
import { type TokenizeOptions, tokenize } from '../prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'

/** What follows a reply, and the token that ends the model's turn. */
export type Following = { pieces: readonly TextPiece[]; stop?: string | undefined }

/**
 * The ids to append after a prompt and the model's reply, which stay unchanged. A truncated reply first gets its end-of-turn
 * token.
 */
export function appendedIds(
  { pieces, stop }: Following,
  replyIds: readonly number[],
  tokenizer: Tokenizer,
  options: TokenizeOptions = {},
): number[] {
  const source = { by: 'model', path: 'reply' } as const
  const stopId = stop === undefined ? undefined : tokenizer.idOf(stop)
  const isEnded = stopId === undefined || replyIds.at(-1) === stopId
  // The preceding text affects how the first characters are encoded.
  const before = isEnded ? replyIds.slice(-1) : [stopId]
  const prompt = { kind: 'completion', pieces: [{ ids: before, source }, ...pieces], bos: 'none', stop: [], notes: [] } as const
  const { ids } = tokenize(prompt, tokenizer, { ...options, bos: 'none' })
  return isEnded ? ids.slice(before.length) : ids
}

/**
 * Where nothing ends a turn, generation stops on the token that opens the next one (GLM's `<|user|>`): the sampled one stays, and the
 * format's is left out. Undefined if the model opened a user's turn and another one follows.
 */
export function withSampledOpener(
  appended: readonly number[],
  { stop }: Following,
  replyIds: readonly number[],
  opener: number | undefined,
): readonly number[] | undefined {
  const last = replyIds.at(-1)
  if (stop !== undefined || last === undefined) return appended
  if (appended[0] === last) return appended.slice(1)
  return last === opener ? undefined : appended
}
