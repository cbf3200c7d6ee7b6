import type { ReplySyntax } from '../syntax.ts'
import { thinkSpan } from './spans.ts'

/** Replies that are only text. */
export const plainReplies: ReplySyntax = { name: 'plain', ends: [], turns: [], blocks: [] }

/** Replies of models that are offered tools and have no marks for calls, as under MLC-LLM and WebLLM. */
export const unmarkedCalls: ReplySyntax = { ...plainReplies, name: 'unmarked', callsWithoutMarks: true }

/** Reasoning and text, no tools: what most reasoning models write. */
export const think: ReplySyntax = {
  name: 'think',
  ends: ['<|im_end|>', '<|endoftext|>', '<｜end▁of▁sentence｜>', '<|eot_id|>'],
  turns: ['<|im_start|>', '<｜Assistant｜>', '<|end_header_id|>'],
  reasoning: [thinkSpan],
  blocks: [],
}

/** Every known way to write reasoning, without calls: for unknown models. */
export const reasoning: ReplySyntax = {
  ...think,
  name: 'reasoning',
  reasoning: [
    thinkSpan,
    { open: '[THINK]', close: '[/THINK]' },
    { open: '<seed:think>', close: '</seed:think>' },
    { open: '◁think▷', close: '◁/think▷' },
    { open: '<mm:think>', close: '</mm:think>' },
    { open: '<|channel>thought\n', close: '<channel|>' },
    { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
    { open: '<longcat_think>', close: '</longcat_think>' },
    { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
  ],
}
