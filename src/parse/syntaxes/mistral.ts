import type { ReplySyntax } from '../syntax.ts'

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
