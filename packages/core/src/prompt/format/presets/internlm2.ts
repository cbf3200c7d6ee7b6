import type { InternLM2Layout } from '../internlm2/internlm2-layout.ts'

/** Document 004 (InternLM, "Chat Format"): markers and their ids. */
export const internlm2: InternLM2Layout = {
  bos: '<s>',
  turn: { start: '<|im_start|>', end: '<|im_end|>' },
  action: { start: '<|action_start|>', end: '<|action_end|>', plugin: '<|plugin|>', interpreter: '<|interpreter|>' },
  eos: ['</s>'],
  documented: {
    vocabulary: 92_544,
    ids: {
      '<s>': 1,
      '</s>': 2,
      '<|im_start|>': 92_543,
      '<|im_end|>': 92_542,
      '<|action_start|>': 92_541,
      '<|action_end|>': 92_540,
      '<|interpreter|>': 92_539,
      '<|plugin|>': 92_538,
    },
  },
}

/** The first release's names of the same tokens, which XComposer2 kept. It was not trained to make calls. */
export const internlmXComposer2: InternLM2Layout = {
  bos: '<s>',
  turn: { start: '[UNUSED_TOKEN_146]', end: '[UNUSED_TOKEN_145]' },
  eos: ['</s>'],
  documented: { vocabulary: 92_544, ids: { '[UNUSED_TOKEN_146]': 92_543, '[UNUSED_TOKEN_145]': 92_542 } },
}
