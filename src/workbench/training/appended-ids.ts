import { type TokenizeOptions, tokenize } from '../../prompt/tokenizer/tokenize.ts'
import type { Tokenizer } from '../../prompt/tokenizer/tokenizer.ts'
import type { NextTurn } from './next-turn.ts'

/**
 * The ids of what is appended to a prompt and the model's reply, both of which stay as they are. A reply that was cut gets the
 * token that ends its turn first.
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
  // What stands before decides how the first characters are encoded.
  const before = isEnded ? replyIds.slice(-1) : [stopId]
  const prompt = { kind: 'completion', pieces: [{ ids: before, source }, ...pieces], bos: 'none', stop: [], notes: [] } as const
  const { ids } = tokenize(prompt, tokenizer, { ...options, bos: 'none' })
  return isEnded ? ids.slice(before.length) : ids
}
