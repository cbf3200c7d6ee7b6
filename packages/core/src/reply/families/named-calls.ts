import type { ReplySyntax } from '../syntax.ts'
import { llamaEnds, llamaTurns, openThinkSpan, thinkSpan } from './spans.ts'

// Families that write the tool's name as text, followed by its arguments as JSON.

/**
 * Mistral: `[TOOL_CALLS][{"name", "arguments", "id"}]` up to Tekken v7, `[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}` since v11
 * (newer ones without the id), and `[THINK]…[/THINK]`.
 * @see https://docs.mistral.ai/guides/tokenization/
 */
export const mistral: ReplySyntax = {
  name: 'mistral',
  ends: ['</s>'],
  turns: ['[/INST]', '[/TOOL_RESULTS]'],
  reasoning: [{ open: '[THINK]', close: '[/THINK]' }],
  blocks: [
    {
      open: ['[TOOL_CALLS]'],
      json: { name: 'name', arguments: ['arguments', 'parameters'], id: 'id', list: true },
      named: { separator: '[ARGS]', id: '[CALL_ID]' },
    },
  ],
}

/**
 * DeepSeek V3 and R1 (`function<｜tool▁sep｜>name` and a JSON fence) and V3.1 (`name<｜tool▁sep｜>{…}`).
 * @see https://huggingface.co/deepseek-ai/DeepSeek-V3.1
 */
export const deepseek: ReplySyntax = {
  name: 'deepseek',
  ends: ['<｜end▁of▁sentence｜>'],
  turns: ['<｜Assistant｜>'],
  reasoning: [thinkSpan],
  sections: [{ open: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>' }],
  blocks: [{ open: ['<｜tool▁call▁begin｜>'], close: '<｜tool▁call▁end｜>', named: { separator: '<｜tool▁sep｜>', fenced: true } }],
}

/** Kimi K2: the name is part of the call's id. */
export const kimiK2: ReplySyntax = {
  name: 'kimi-k2',
  ends: ['<|im_end|>', '[EOS]'],
  turns: ['<|im_middle|>'],
  reasoning: [openThinkSpan],
  sections: [
    { open: '<|tool_calls_section_begin|>', close: '<|tool_calls_section_end|>' },
    { open: '<|tool_call_section_begin|>', close: '<|tool_call_section_end|>' },
  ],
  blocks: [
    { open: ['<|tool_call_begin|>'], close: '<|tool_call_end|>', named: { separator: '<|tool_call_argument_begin|>', indexed: true } },
  ],
}

/** Solar Open: id, name and arguments, each behind a mark. */
export const solarOpen: ReplySyntax = {
  name: 'solar-open',
  ends: ['<|calls|>', '<|flush|>', '<|endoftext|>'],
  turns: ['<|begin|>'],
  reasoning: [{ open: '<|think|>', close: '<|end|>' }],
  sections: [{ open: '<|tool_calls|>', close: '<|calls|>' }],
  ignored: ['<|content|>', '<|end|>', '<|begin|>assistant'],
  blocks: [
    {
      open: ['<|tool_call:begin|>'],
      close: '<|tool_call:end|>',
      named: { separator: '<|tool_call:args|>', nameAfter: '<|tool_call:name|>' },
    },
  ],
}

/** Functionary v3.1: `<function=name>{…}</function>`. */
export const functionary31: ReplySyntax = {
  name: 'functionary-v3.1',
  ends: llamaEnds,
  turns: llamaTurns,
  blocks: [
    { open: ['<function='], close: '</function>', named: { separator: '>' } },
    { open: ['<|python_tag|>'], code: { fence: 'none' } },
  ],
}

/** GLM-4 (9B): the name on a line, then JSON. */
export const glm4Json: ReplySyntax = {
  name: 'glm4-json',
  ends: ['<|user|>', '<|observation|>', '<|endoftext|>'],
  turns: ['<|assistant|>'],
  reasoning: [thinkSpan],
  blocks: [{ open: ['<|assistant|>'], named: { separator: '\n' } }],
}
