import { expect, test } from 'vitest'
import { compileChat } from '../../prompt/compile/compile-chat.ts'
import { replySyntaxes } from './families/reply-syntaxes.ts'
import { syntaxOf } from './find-syntax.ts'

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
