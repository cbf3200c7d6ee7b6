import type { ReplySyntax } from '../syntax.ts'
import { chatmlEnds, chatmlTurns, llamaEnds, llamaTurns, thinkSpan } from './spans.ts'

// Families that write calls as Python does.

/** Llama 4's marks around calls. */
export const pythonMarks = { open: ['<|python_start|>'], close: '<|python_end|>' }

/** Llama 3.2 and 4, ToolACE, Gemma 3: `[name(key=value)]`, alone or between marks. */
export const pythonic: ReplySyntax = {
  name: 'pythonic',
  ends: [...llamaEnds, '<|eot|>', '<|eom|>', '<end_of_turn>'],
  turns: [...llamaTurns, '<|header_end|>', '<start_of_turn>'],
  reasoning: [thinkSpan],
  blocks: [
    { open: [], python: { list: true } },
    { open: ['['], tentative: true, python: { list: 'opened' } },
    { ...pythonMarks, python: { list: true } },
  ],
}

/** LFM2. */
export const lfm2: ReplySyntax = {
  name: 'lfm2',
  ends: chatmlEnds,
  turns: chatmlTurns,
  reasoning: [thinkSpan],
  blocks: [
    {
      open: ['<|tool_call_start|>'],
      close: '<|tool_call_end|>',
      python: { list: false },
      json: { name: 'name', arguments: ['arguments', 'parameters'], list: true },
    },
  ],
}

/** OLMo 3: one call a line. */
export const olmo3: ReplySyntax = {
  name: 'olmo3',
  ends: chatmlEnds,
  turns: chatmlTurns,
  reasoning: [thinkSpan],
  blocks: [{ open: ['<function_calls>'], close: '</function_calls>', python: { list: false } }],
}
