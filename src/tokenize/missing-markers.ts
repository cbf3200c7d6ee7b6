import { nearestName } from '../nearest.ts'
import type { Note } from '../note.ts'
import type { Tokenizer } from './tokenizer.ts'

/** How special tokens are written: `<|im_start|>`, `<｜User｜>`, `<start_of_turn>`, `</s>`, `[INST]`. */
const tokenLike = /<[|｜][^<>|｜\s]+[|｜]>|<\/?[a-z][a-z0-9]*(?:_[a-z0-9]+)+>|<\/?s>|\[\/?[A-Z_]{3,}\]/gu

/**
 * Names what a format writes as if it were a special token although the tokenizer has none of that name: then the model reads
 * ordinary characters, and data cannot be kept from writing the same.
 */
export function missingMarkers(markers: readonly string[], tokenizer: Tokenizer): Note[] {
  const own = new Set(tokenizer.addedTokens.map(({ content }) => content))
  const written = new Set(markers.flatMap((marker) => marker.match(tokenLike) ?? []))
  return [...written].flatMap((marker) => {
    if (own.has(marker)) return []
    const near = nearestName(marker, [...own])
    const suggestion = near === undefined ? '' : `; it has "${near}"`
    return [{ code: 'marker-is-no-token', text: `the format uses "${marker}", which is no special token of this tokenizer${suggestion}` }]
  })
}
