import type { ReplySyntax } from '../syntax.ts'

/** Replies that are only text. */
export const plainReplies: ReplySyntax = { name: 'plain', ends: [], turns: [], blocks: [] }

/** Replies of models that are told about tools and have no marks for calls, as under MLC-LLM and WebLLM. */
export const unmarkedCalls: ReplySyntax = { ...plainReplies, name: 'unmarked', callsWithoutMarks: true }

/** Reasoning and text, no tools: what most reasoning models write. */
export const think: ReplySyntax = {
  name: 'think',
  ends: ['<|im_end|>', '<|endoftext|>', '<｜end▁of▁sentence｜>', '<|eot_id|>'],
  turns: ['<|im_start|>', '<｜Assistant｜>', '<|end_header_id|>'],
  reasoning: [{ open: '<think>', close: '</think>' }],
  blocks: [],
}
