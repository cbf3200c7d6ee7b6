import { describe, expect, test } from 'vitest'
import { compileChat } from '../prompt/compile/compile-chat.ts'
import { replySyntaxes } from './families/reply-syntaxes.ts'
import { findSyntax, syntaxOf } from './find-syntax.ts'
import { parseExactReply } from './parse/reply-parser.ts'

/** Templates like those of each family: the calls they write identify the syntax. */
const chatml = (call: string) =>
  `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}${call}{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`
const templates: Record<string, string> = {
  hermes: chatml('<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>'),
  mistral: chatml('[TOOL_CALLS][{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}, "id": "{{ c.id }}"}]'),
  deepseek: chatml(
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{{ c.function.name }}\n```json\n{{ c.function.arguments | tojson }}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ),
  llama3: chatml('{"name": "{{ c.function.name }}", "parameters": {{ c.function.arguments | tojson }}}'),
  unmarked: chatml(''),
  plain: chatml('').replace('{% if tools %}{{ tools | tojson }}{% endif %}', ''),
  think: chatml('').replace('assistant\n{% endif %}', 'assistant\n<think>\n{% endif %}'),
}

for (const [name, source] of Object.entries(templates)) {
  test(`a template in the manner of ${name}`, () => {
    expect(syntaxOf(compileChat({ chat_template: source }).format).name).toBe(name)
  })
}

test('a config that says how its model writes is believed', () => {
  const { format } = compileChat({ chat_template: templates.hermes! })
  expect(syntaxOf(format, 'llama3')).toBe(replySyntaxes.llama3)
  const own = { ...replySyntaxes.think, name: 'own' }
  expect(syntaxOf(format, own)).toBe(own)
  expect(() => syntaxOf(format, 'herms' as never)).toThrow('Did you mean "hermes"?')
})

test('formats by name, and servers that read calls themselves', () => {
  expect(syntaxOf(compileChat('internlm2').format).name).toBe('internlm2')
  expect(syntaxOf(compileChat('chatml').format).name).toBe('plain')
  expect(syntaxOf(compileChat({ conv_template: 'gorilla-openfunctions-v2' }).format).name).toBe('unmarked')
  expect(syntaxOf(compileChat({ conv_template: 'vicuna_v1.1' }).format).name).toBe('plain')
  expect(syntaxOf(compileChat({ is_api: true }).format).name).toBe('plain')
})

describe('templates that quote calls, or only mention marks', () => {
  /** The template writes calls as bare JSON that it does not escape, or not at all; its prompt begins with `rules`. */
  const ruled = (rules: string, call = '') => `{% if tools %}${rules}{% endif %}${chatml(call)}`
  const found = (chat_template: string) => findSyntax(compileChat({ chat_template }).format)
  const unescaped = '{"name": "{{ c.function.name }}", "arguments": "{{ c.function.arguments }}"}'

  test('calls that the prompt asks for are read, not those that the template writes without a proof', () => {
    const { syntax, how, proven, notes } = found(ruled('Write functools[{"name": …, "arguments": …}]', unescaped))
    expect({ name: syntax.name, how, proven }).toEqual({ name: 'phi4-mini', how: 'family', proven: false })
    expect(notes.join()).toMatch(/^not read back as written: .*; its prompt asks for the calls of phi4-mini$/)
    const { calls, text } = parseExactReply('functools[{"name": "now", "arguments": {"a": [1]}}]<|im_end|>', syntax)
    expect({ calls, text }).toMatchObject({ calls: [{ name: 'now', arguments: { a: [1] } }], text: '' })
  })

  test('a proven derivation stays, whatever the prompt mentions', () => {
    const proven = '<call>{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}</call>'
    expect(found(ruled('Never write functools[…].', proven))).toMatchObject({ how: 'derived', proven: true })
  })

  test('of two families with one opening mark, the one whose other marks are quoted too', () => {
    const { syntax } = found(ruled('<tool_call>name\n<arg_key>key</arg_key>\n<arg_value>value</arg_value>\n</tool_call>'))
    expect(syntax.name).toBe('glm')
    expect(parseExactReply('<tool_call>now\n<arg_key>a</arg_key>\n<arg_value>b</arg_value>\n</tool_call><|im_end|>', syntax)).toMatchObject(
      {
        calls: [{ name: 'now', arguments: { a: 'b' } }],
        text: '',
      },
    )
    expect(found(ruled('<tool_call>{"name": …}</tool_call>')).syntax.name).toBe('hermes')
  })

  test('of several families that read all calls, the one whose marks the template writes', () => {
    const call = '<tool_calls>[{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}]</tool_calls>'
    const template = (marks: string) =>
      `{# ${marks} #}${chatml(call).replaceAll('<|im_end|>', '<|end|>').replaceAll('<|im_start|>', '<|assistant|>')}`
    expect(found(template('')).syntax.name).toBe('tool-calls-list')
    expect(found(template('[BEGIN FINAL RESPONSE]')).syntax.name).toBe('apriel')
    expect(found(template('助手：<answer></answer>')).syntax.name).toBe('hunyuan-a13b')
    // A family with many blocks is not preferred because one of them matches.
    expect(found(`{# <|eot_id|><|start_header_id|> #}${templates.hermes}`).syntax.name).toBe('hermes')
  })

  test('of two families with the same form, the one with the marks of turns', () => {
    const template = (end: string) => `functools[…]{% for m in messages %}<|assistant|>{{ m.content }}${end}{% endfor %}`
    expect(found(template('<|end|>')).syntax.name).toBe('phi4-mini')
    const refuses = `{{ raise_exception('no') }}functools[…]<|start_header_id|>{{ m.role }}<|end_header_id|>{{ m.content }}<|eot_id|>`
    expect(found(refuses).syntax.name).toBe('firefunction-v2')
  })

  test('the marks of a prompt identify a family that it says nothing else about', () => {
    const { syntax, notes } = found(ruled('<|tool_list_start|>[…]<|tool_list_end|>'))
    expect(syntax.name).toBe('lfm2')
    expect(notes).toEqual(['the format writes no calls; its prompts are those of lfm2'])
  })

  test('marks of reasoning that are only mentioned', () => {
    const { syntax, notes } = found(`Think like this: <think> … </think>${templates.plain}`)
    expect(parseExactReply('<think>Hm.</think>Hi.<|im_end|>', syntax)).toMatchObject({ reasoning: 'Hm.', text: 'Hi.' })
    expect(notes[0]).toContain('it mentions </think>')
  })

  test('a mark that opens every turn is no mark of calls', () => {
    const { syntax } = found('{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endfor %}<|assistant|>\n')
    expect(syntax.name).toBe('plain')
    expect(parseExactReply('Hi.<|end|>', syntax).text).toBe('Hi.')
  })
})
