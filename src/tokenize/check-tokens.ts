import type { NeededToken } from '../format/format.ts'
import { nearestName } from '../nearest.ts'
import { PromptError } from '../prompt-error.ts'
import type { Tokenizer } from './tokenizer.ts'

const checked = new WeakMap<Tokenizer, WeakSet<readonly NeededToken[]>>()

/**
 * Looks up the tokens that a format writes: each must be a token of the tokenizer, not several, and have the id that the
 * config declares, or that the document gives where the vocabulary is the documented one.
 */
export function checkTokens(tokens: readonly NeededToken[], tokenizer: Tokenizer): void {
  const known = checked.get(tokenizer) ?? new WeakSet()
  if (known.has(tokens)) return
  for (const needed of tokens) checkToken(needed, tokenizer)
  checked.set(tokenizer, known.add(tokens))
}

function checkToken({ token, id, vocabulary }: NeededToken, { name, idOf, addedTokens, size }: Tokenizer): void {
  const found = idOf(token)
  // What merges spell by chance would not be found in the format's text, but for it to be an added token.
  if (found === undefined || !addedTokens.some(({ content }) => content === token)) {
    const own = addedTokens.map(({ content }) => content)
    const near = nearestName(token, own)
    throw new PromptError('unknown-token', {
      where: name,
      problem: `the format needs the token "${token}", and this tokenizer does not have it`,
      fix:
        near === undefined ? `use the model's own tokenizer (this one has e.g. ${own.slice(0, 5).join(', ')})` : `did you mean "${near}"?`,
    })
  }
  if (id === undefined || id === found || (vocabulary !== undefined && vocabulary !== size)) return
  throw new PromptError('wrong-token-id', {
    where: name,
    problem: `the token "${token}" has the id ${found}, and should have ${id}`,
    fix: vocabulary === undefined ? 'correct format_options.token_ids' : "use the model's own tokenizer: this one was converted wrongly",
  })
}
