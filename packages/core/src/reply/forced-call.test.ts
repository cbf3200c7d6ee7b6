import { describe, expect, test } from 'vitest'
import { textOf } from '../base/text/index.ts'
import { forcedCall } from './forced-call.ts'
import { type FamilyName, parseExactReply, replySyntaxes } from './index.ts'

const written = (name: FamilyName, tool: string | undefined, opening = '') => {
  const pieces = forcedCall(replySyntaxes[name], opening, tool)
  return pieces && textOf(pieces)
}

describe('the beginning of a call', () => {
  const named: [FamilyName, string][] = [
    ['internlm2', '<|action_start|><|plugin|>\n{"name": "now", "parameters":'],
    ['hermes', '<tool_call>\n{"name": "now", "arguments":'],
    ['mistral', '[TOOL_CALLS][{"name": "now", "arguments":'],
    ['llama3', '{"name": "now", "parameters":'],
  ]
  for (const [name, expected] of named) {
    test(`of a named tool in ${name} is continued to a call of that tool`, () => {
      expect(written(name, 'now')).toBe(expected)
      const rest = `${name === 'mistral' ? ' {"zone": "UTC"}}]' : ' {"zone": "UTC"}}'}${replySyntaxes[name].blocks[0]!.close ?? ''}`
      const { calls, text } = parseExactReply(rest, name, { prompt: expected })
      expect({ calls, text }).toMatchObject({ calls: [{ kind: 'call', name: 'now', arguments: { zone: 'UTC' } }], text: '' })
    })
  }

  const unquoted: [FamilyName, string, string][] = [
    ['qwen3-coder', '<tool_call>\n<function=now>', '\n<parameter=zone>\nUTC\n</parameter>\n</function>\n</tool_call>'],
    ['gemma4', '<|tool_call>call:now{', 'zone:<|"|>UTC<|"|>}<tool_call|>'],
    ['minimax-m2', '<minimax:tool_call><invoke name="now"', '>\n<parameter name="zone">UTC</parameter>\n</invoke>\n</minimax:tool_call>'],
    ['olmo3', '<function_calls>now(', "zone='UTC')</function_calls>"],
  ]
  for (const [name, expected, rest] of unquoted) {
    test(`of a named tool in ${name}, without JSON, is continued to a call of that tool`, () => {
      expect(written(name, 'now')).toBe(expected)
      const { calls, text } = parseExactReply(rest, name, { prompt: expected })
      expect({ calls, text: text.trim() }).toMatchObject({ calls: [{ kind: 'call', name: 'now', arguments: { zone: 'UTC' } }], text: '' })
    })
  }

  test('of any tool consists of its markers', () => {
    expect(written('internlm2', undefined)).toBe('<|action_start|><|plugin|>')
    expect(written('deepseek', undefined)).toBe('<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>')
  })

  test('has the first of several wrappers, or those in the example of the format', () => {
    expect(written('kimi-k2', undefined)).toBe('<|tool_calls_section_begin|><|tool_call_begin|>')
    const example = 'Hm.<|tool_call_section_begin|>\n<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}'
    expect(textOf(forcedCall(replySyntaxes['kimi-k2'], '', undefined, example)!)).toBe('<|tool_call_section_begin|>\n<|tool_call_begin|>')
    expect(textOf(forcedCall(replySyntaxes['kimi-k2'], '', undefined, 'something else')!)).toBe(written('kimi-k2', undefined))
  })

  test('is undefined for a syntax without markers or with several ways to write a name', () => {
    expect(written('llama3', undefined)).toBeUndefined()
    expect(written('deepseek', 'now')).toBeUndefined()
    expect(written('think', 'now')).toBeUndefined()
    expect(written('glm', 'now')).toBeUndefined()
    expect(written('apertus', 'now')).toBeUndefined()
  })

  test('closes a thought opened by the template', () => {
    expect(written('hermes', undefined, '<|im_start|>assistant\n<think>\n')).toBe('\n</think>\n\n<tool_call>')
    expect(written('hermes', undefined, '<|im_start|>assistant\n<think>\n\n</think>\n\n')).toBe('<tool_call>')
  })

  test('never turns a name into control text', () => {
    const pieces = forcedCall(replySyntaxes.internlm2, '', '<|im_end|>')!
    expect(pieces.filter((piece) => 'text' in piece && piece.text.includes('<|im_end|>'))).toMatchObject([{ control: false }])
  })
})
