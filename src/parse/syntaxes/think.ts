import type { ReplySyntax } from '../syntax.ts'

/** Reasoning and text, no tools: what most reasoning models write. */
export const think: ReplySyntax = {
  name: 'think',
  ends: ['<|im_end|>', '<|endoftext|>', '<｜end▁of▁sentence｜>', '<|eot_id|>'],
  turns: ['<|im_start|>', '<｜Assistant｜>', '<|end_header_id|>'],
  reasoning: [{ open: '<think>', close: '</think>' }],
  blocks: [],
}
