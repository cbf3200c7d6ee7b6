import type { Token } from '@rolecall/core/internal/tokenizer'
import type { OriginSum, TokenPart, Writer } from './contract.ts'
import type { Placed } from './stretches.ts'

/** The stretches with the tokens that they hold; a token that begins in an earlier stretch is marked as its continuation. */
export function withTokens(stretches: readonly Placed[], tokens: readonly Token[]): Placed[] {
  let first = 0
  return stretches.map((stretch) => {
    const end = stretch.at + stretch.text.length
    while (first < tokens.length && tokens[first]!.span[1] <= stretch.at) first++
    const parts: TokenPart[] = []
    for (let index = first; index < tokens.length && tokens[index]!.span[0] < end; index++) {
      const { id, span } = tokens[index]!
      if (span[1] <= stretch.at || span[1] <= span[0]) continue
      parts.push({
        id,
        start: Math.max(0, span[0] - stretch.at),
        end: Math.min(stretch.text.length, span[1] - stretch.at),
        opens: span[0] >= stretch.at,
      })
    }
    return parts.length === 0 ? stretch : { ...stretch, tokens: parts }
  })
}

/** How much each writer wrote. A token over a border counts for the stretch in which it starts; the tokenizer's own tokens for the format. */
export function countsOf(
  stretches: readonly Placed[],
  tokens: readonly Token[] | undefined,
  estimate: (text: string) => number,
): Partial<Record<Writer, OriginSum>> {
  const sums: Partial<Record<Writer, OriginSum>> = {}
  const of = (by: Writer): OriginSum => {
    sums[by] ??= { characters: 0, tokens: 0 }
    return sums[by]
  }
  for (const { by, text } of stretches) of(by).characters += text.length
  if (tokens === undefined) for (const { by, text } of stretches) of(by).tokens += text === '' ? 0 : estimate(text)
  else {
    let index = 0
    for (const { span } of tokens) {
      // Both are in order; the tokenizer's own tokens in front of the text have no stretch.
      while (index < stretches.length - 1 && endOf(stretches[index]) <= span[0]) index++
      const stretch = stretches[index]
      of(stretch !== undefined && span[1] > span[0] ? stretch.by : 'format').tokens++
    }
  }
  return sums
}

function endOf(stretch: Placed | undefined): number {
  return stretch === undefined ? 0 : stretch.at + stretch.text.length
}
