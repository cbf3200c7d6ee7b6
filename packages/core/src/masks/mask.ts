import type { Token } from '../prompt/tokenizer/tokenize.ts'

/**
 * The training mask: 1 for every token from the one with the first character of a span to the one with its last. A token across
 * the border of a span is trained.
 */
export function maskOf(tokens: readonly Token[], spans: readonly (readonly [start: number, end: number])[]): (0 | 1)[] {
  const mask: (0 | 1)[] = []
  let at = 0
  for (const { span } of tokens) {
    let next = spans[at]
    while (next !== undefined && next[1] <= span[0]) next = spans[++at]
    mask.push(next !== undefined && next[0] < next[1] && span[0] < next[1] && span[1] > next[0] ? 1 : 0)
  }
  return mask
}
