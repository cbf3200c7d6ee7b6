import type { ReplySyntax } from '../syntax.ts'

/**
 * Hermes 2 Pro and later, Qwen2.5, Qwen3, QwQ and others that write `<tool_call>{json}</tool_call>`.
 * @see https://github.com/NousResearch/Hermes-Function-Calling
 */
export const hermes: ReplySyntax = {
  name: 'hermes',
  ends: ['<|im_end|>', '<|endoftext|>'],
  turns: ['<|im_start|>'],
  reasoning: [{ open: '<think>', close: '</think>' }],
  blocks: [{ open: ['<tool_call>'], close: '</tool_call>', json: { name: 'name', arguments: ['arguments', 'parameters'], list: true } }],
}
