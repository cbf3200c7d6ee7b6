import { type Origin, originOf } from '../../text/origin.ts'
import { tokenize } from '../../tokenize/tokenize.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import { originPaint } from '../render/show-pieces.ts'
import type { View } from '../render/view.ts'

/** How many tokens of a prompt each origin has; a token over a border counts for the piece it starts in. */
export function countByOrigin({ rendered: { prompt }, markers, tokens: needed }: View, tokenizer: Tokenizer): string {
  if (prompt.kind === 'chat') return 'tokens: only the server knows how it writes messages'
  const { tokens } = tokenize(prompt, tokenizer, { markers, tokens: needed })
  const counts = new Map<Origin | 'tokenizer', number>()
  for (const { pieces } of tokens) {
    const origin = pieces ? originOf(prompt.pieces[pieces[0]]!, isAnswer(prompt.answer, pieces[0])) : 'tokenizer'
    counts.set(origin, (counts.get(origin) ?? 0) + 1)
  }
  const parts = [...counts].map(([origin, count]) =>
    origin === 'tokenizer' ? `${origin} ${count}` : originPaint[origin](`${origin} ${count}`),
  )
  return `${tokens.length} tokens by ${tokenizer.name}: ${parts.join(', ')}`
}

function isAnswer(answer: { start: number; end: number } | undefined, piece: number): boolean {
  return answer !== undefined && piece >= answer.start && piece < answer.end
}
