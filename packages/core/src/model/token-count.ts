import { PromptError } from '../base/errors/prompt-error.ts'
import type { Model } from './model.ts'
import type { ModelPrompt } from './render-prompt.ts'

/** One function, not one per call: tokenizers cache per function. */
const nothingIsProtected = () => false

/**
 * The number of tokens of a prompt of `renderPrompt`, or of a plain text, with the model's tokenizer.
 *
 * @example
 * const model = { type: 'WordLevel', vocab: { Hi: 0 }, unk_token: 'Hi' }
 * const tokenizer = readTokenizer({ version: '1.0', model, added_tokens: [], normalizer: null, pre_tokenizer: null, decoder: null, post_processor: null })
 * countTokens(defineModel({ format: 'plain', tokenizer }), 'Hi') // => 1
 */
export function countTokens({ name, tokenizer }: Model, prompt: ModelPrompt | string): number {
  if (typeof prompt !== 'string') return prompt.ids().length
  if (tokenizer !== undefined) return tokenizer.encodeRun(prompt, true, nothingIsProtected).ids.length
  throw new PromptError('no-tokenizer', {
    where: name,
    problem: 'the model has no tokenizer',
    fix: 'give one: defineModel({ …, tokenizer: readTokenizer(json) })',
  })
}
