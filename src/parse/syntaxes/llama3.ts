import type { JsonBody, ReplySyntax } from '../syntax.ts'

const json: JsonBody = { name: 'name', arguments: ['parameters', 'arguments'], separator: ';' }

/**
 * Llama 3.1 to 3.3: the whole reply is a JSON call, or `<|python_tag|>` opens a JSON call or code.
 * @see https://github.com/meta-llama/llama-models/blob/main/models/llama3_1/prompt_format.md
 */
export const llama3: ReplySyntax = {
  name: 'llama3',
  ends: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
  turns: ['<|end_header_id|>'],
  blocks: [
    { open: ['<|python_tag|>'], json, code: { fence: 'none' } },
    { open: [], json },
  ],
}
