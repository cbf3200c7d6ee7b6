import { expect, test } from 'vitest'
import { compileChat } from '../../internal/compile.ts'
import { checkResponseTemplate, deriveResponseTemplate } from './index.ts'

const chatml = (calls: string) =>
  `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + (m.content or '') }}{% for c in m.tool_calls or [] %}${calls}{% endfor %}{{ '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`

const hermes = chatml(
  `{{ '\n<tool_call>\n{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}\n</tool_call>' }}`,
)

const formatOf = (chat_template: string) => compileChat({ chat_template }).format

test('a chat template without a response template gets one, which reads what the chat template writes', () => {
  const derived = deriveResponseTemplate(formatOf(hermes))
  if (derived.kind !== 'written') throw new Error(derived.construct)
  expect(Object.keys(derived.template.fields)).toEqual(['reasoning_content', 'tool_calls', 'content'])
  expect(derived.trials.map(({ probe }) => probe)).toContain('two calls')
  expect(derived.trials.every(({ isSame }) => isSame)).toBe(true)
})

test('calls that a response template cannot express are refused with the construct', () => {
  const pythonic = chatml(
    `{{ '\n<function_calls>' + c.function.name + '(' }}{% for k, v in c.function.arguments.items() %}{{ k + '=' + (v | tojson) + (', ' if not loop.last else '') }}{% endfor %}{{ ')</function_calls>' }}`,
  )
  expect(deriveResponseTemplate(formatOf(pythonic))).toMatchObject({ kind: 'refused' })
})

test('a response template that loses calls is found out, with the reply that shows it', () => {
  const wrong = { start_anchor: '<|im_start|>assistant\n', fields: { content: { close: '<|im_end|>' } } }
  const { trials } = checkResponseTemplate(formatOf(hermes), wrong)
  const call = trials.find(({ probe }) => probe === 'a call')
  expect(call).toMatchObject({ isSame: false, difference: expect.stringContaining('other calls') })
  expect(call?.reply).toContain('<tool_call>')
})
