import type { Prompt } from '@rolecall/core/internal/format'
import type { Origin } from '@rolecall/core/internal/text'
import type { Token } from '@rolecall/core/internal/tokenizer'
import { blocksOf } from './segments.ts'

export type OriginCount = { characters: number; tokens: number }

/** How much of a prompt each origin wrote; a token across a border counts for the piece it starts in, as in the terminal. */
export function countOrigins(prompt: Prompt, tokens: readonly Token[] = []): Map<Origin, OriginCount> {
  const counts = new Map<Origin, OriginCount>()
  const drawn = blocksOf(prompt).flatMap(({ pieces }) => pieces)
  const of = (origin: Origin) => {
    const found = counts.get(origin) ?? { characters: 0, tokens: 0 }
    counts.set(origin, found)
    return found
  }
  for (const { piece, origin } of drawn) of(origin).characters += 'text' in piece ? piece.text.length : 0
  for (const { pieces } of tokens) if (pieces) of(drawn[pieces[0]]!.origin).tokens++
  return counts
}
