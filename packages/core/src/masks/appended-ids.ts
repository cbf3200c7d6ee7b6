import type { Piece, TextPiece } from '../base/text/index.ts'
import { decodeTokens } from '../prompt/tokenizer/token-decoder.ts'
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
  const ending = stopId === undefined || replyIds.at(-1) === stopId ? [] : [stopId]
  const rest = stop === undefined || stopId !== undefined ? '' : restOfStop(stop, replyIds, tokenizer)
  const closing: TextPiece[] = rest === '' ? [] : [{ text: rest, control: true, source: { by: 'format', path: 'end of turn' } }]
  // The first characters are encoded as those behind a token. Which token it is does not matter; BOS there would count as that of a prompt.
  const context: Piece = { ids: [noId], source }
  const prompt = { kind: 'completion', pieces: [context, ...closing, ...pieces], bos: 'none', stop: [], notes: [] } as const
  const { ids } = tokenize(prompt, tokenizer, { ...options, bos: 'none' })
  return [...ending, ...ids.slice(1)]
}

/** Stands for what was sent and sampled. */
const noId = -1

/** What a reply lacks of an end marker of several tokens: all of it, its last characters, or nothing. */
function restOfStop(stop: string, replyIds: readonly number[], tokenizer: Tokenizer): string {
  // No token is empty for long: this many have the marker, if the reply ends with it.
  const text = decodeTokens(replyIds.slice(-2 * stop.length - 2), tokenizer)
  if (text.endsWith(stop) || (stop.trim() !== '' && text.trimEnd().endsWith(stop.trimEnd()))) return ''
  let known = Math.min(stop.length - 1, text.length)
  while (known > 0 && !text.endsWith(stop.slice(0, known))) known--
  return stop.slice(known)
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
