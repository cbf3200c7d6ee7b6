import { type TokenizeOptions, tokenize } from '../prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../prompt/tokenizer/tokenizer.ts'
import type { NextTurn } from './next-turn.ts'

/**
 * The ids to append after a prompt and the model's reply, which stay unchanged. A truncated reply first gets its end-of-turn
 * token.
 */
export function appendedIds(
  { pieces, stop }: NextTurn & { isAppended: true },
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
