import { shippedTokenizer, tokenizerAt } from '../../node/models/tokenizer-of.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import type { View } from '../render/view.ts'

const standIns = new Map<string, Tokenizer>()

/** The tokenizer that is given, else the model's own, else the shipped one. */
export function tokenizerFor(
  { tokenizer, tokenizerPath }: Pick<View, 'tokenizer' | 'tokenizerPath'>,
  given: string | undefined,
): Tokenizer {
  return given === undefined ? (tokenizer ?? standIn(tokenizerPath)) : tokenizerAt(given)
}

/** The shipped tokenizer under a name that says when it stands for another. */
function standIn(tokenizerPath: string | undefined): Tokenizer {
  const name = `the shipped tokenizer${tokenizerPath === undefined ? '' : ` (there is no ${tokenizerPath} here)`}`
  const tokenizer = standIns.get(name) ?? { ...shippedTokenizer(), name }
  standIns.set(name, tokenizer)
  return tokenizer
}
