import type { ReasoningSpan } from '../syntax.ts'

/** What most reasoning models write around their thoughts. */
export const thinkSpan: ReasoningSpan = { open: '<think>', close: '</think>' }

/** The same for models that are known to make calls without closing a thought. */
export const openThinkSpan: ReasoningSpan = { ...thinkSpan, endsAtCalls: true }

/** Marks of turns that many families share. */
export const chatmlEnds: readonly string[] = ['<|im_end|>', '<|endoftext|>']
export const chatmlTurns: readonly string[] = ['<|im_start|>']
export const llamaEnds: readonly string[] = ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>']
export const llamaTurns: readonly string[] = ['<|end_header_id|>']
