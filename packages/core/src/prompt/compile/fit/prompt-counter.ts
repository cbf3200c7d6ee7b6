import { textOf } from '../../../base/text/index.ts'
import type { Format, Prompt } from '../../format/format.ts'
import { tokenCounter } from '../../tokenizer/count-tokens.ts'
import type { Tokenizer } from '../../tokenizer/tokenizer.ts'
import { countWords } from './count-words.ts'

/**
 * Counts what `max_seq_len` limits: tokens of the model's tokenizer. Without a tokenizer, messages are counted in words, as in the
 * reference; text cannot be counted.
 */
export function promptCounter(tokenizer: Tokenizer | undefined, { kind, markers }: Format): ((prompt: Prompt) => number) | undefined {
  if (tokenizer) return tokenCounter(tokenizer, markers)
  return kind === 'chat' ? (prompt) => countWords(wordsOf(prompt)) : undefined
}

/** The contents without role names, which is what the reference counts. */
function wordsOf(prompt: Prompt): string {
  return prompt.kind === 'chat' ? prompt.messages.map(({ content }) => textOf(content)).join('') : textOf(prompt.pieces)
}
