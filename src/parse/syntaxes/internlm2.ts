import type { ReplySyntax } from '../syntax.ts'

/**
 * InternLM2, 2.5 and 3: JSON calls and a code interpreter.
 * @see https://github.com/InternLM/InternLM/blob/main/chat/chat_format.md (document 004)
 */
export const internlm2: ReplySyntax = {
  name: 'internlm2',
  ends: ['<|im_end|>', '</s>'],
  turns: ['<|im_start|>'],
  blocks: [
    {
      open: ['<|action_start|>', '<|plugin|>'],
      close: '<|action_end|>',
      // `parameters` is what the document shows and what the model was trained on.
      json: { name: 'name', arguments: ['parameters', 'arguments'] },
    },
    { open: ['<|action_start|>', '<|interpreter|>'], close: '<|action_end|>', code: { fence: 'markdown' } },
  ],
}

/** Intern-S1: the same with reasoning. */
export const internS1: ReplySyntax = { ...internlm2, name: 'intern-s1', reasoning: [{ open: '<think>', close: '</think>' }] }
