import { expect, test } from 'vitest'
import { compileConstraint } from '../../constrain/compile-constraint.ts'
import { compileChat } from '../../internal/compile.ts'
import { constraintOf, proveStructuralTag, structuralTag } from './index.ts'

const chat = (calls: string) =>
  `{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}{% if m.reasoning_content %}{{ '<think>' + m.reasoning_content + '</think>\n\n' }}{% endif %}{{ m.content or '' }}${calls}{{ '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`
const hermes = chat(
  `{% for c in m.tool_calls or [] %}{{ '\n<tool_call>\n{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}\n</tool_call>' }}{% endfor %}`,
)
const tagged = chat(
  `{% for c in m.tool_calls or [] %}{{ '\n<tool_call>\n<function=' + c.function.name + '>\n' }}{% for k, v in c.function.arguments.items() %}{{ '<parameter=' + k + '>\n' + (v if v is string else v | tojson) + '\n</parameter>\n' }}{% endfor %}{{ '</function>\n</tool_call>' }}{% endfor %}`,
)
const formatOf = (chat_template: string) => compileChat({ chat_template }).format
const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
  },
}
const now = { name: 'now', parameters: { type: 'object', properties: {} } }
const accepts = (tag: ReturnType<typeof structuralTag>) => compileConstraint(constraintOf(tag.format, 'test')).accepts

test('with choice auto, a mark begins calls of the tools, between text', () => {
  const tag = structuralTag(formatOf(hermes), { tools: [weather, now] })
  expect(tag.format).toMatchObject({ type: 'triggered_tags', triggers: ['<tool_call>'], at_least_one: false, stop_after_first: false })
  const fits = accepts(tag)
  const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}\n</tool_call>'
  for (const text of ['Hello', call, `Wait.\n${call}\n${call} Done.`]) expect(fits(text), text).toBe(true)
  for (const text of [call.replace('get_weather', 'no_tool'), call.replace('2', '"2"'), call.slice(0, -1), `${call}<tool_call>`])
    expect(fits(text), text).toBe(false)
})

test('required calls, named tools, one call, and thoughts before them', () => {
  const format = formatOf(hermes)
  const call = (name: string, given: string) => `\n<tool_call>\n{"name": "${name}", "arguments": ${given}}\n</tool_call>`
  const two = `${call('now', '{}')}${call('get_weather', '{"city": "Rome"}')}`
  expect(accepts(structuralTag(format, { tools: [weather, now], choice: 'required' }))(two)).toBe(true)
  expect(accepts(structuralTag(format, { tools: [weather, now], choice: 'required', parallel: false }))(two)).toBe(false)
  expect(accepts(structuralTag(format, { tools: [weather, now], choice: 'required' }))('Hello')).toBe(false)
  const named = accepts(structuralTag(format, { tools: [weather, now], choice: { name: 'now' } }))
  expect([named(call('now', '{}')), named(call('get_weather', '{"city": "Rome"}'))]).toEqual([true, false])
  const thinking = accepts(structuralTag(format, { tools: [now], choice: 'required', reasoning: true }))
  expect([thinking(`<think>Hm</think>\n\n${call('now', '{}')}`), thinking(call('now', '{}'))]).toEqual([true, false])
  const opened = accepts(structuralTag(format, { tools: [now], reasoning: 'opened' }))
  expect([opened('Hm</think>Hello'), opened('Hm')]).toEqual([true, false])
})

test('parameters between marks are text or JSON as their schemas say, and optional ones may be missing', () => {
  const fits = accepts(structuralTag(formatOf(tagged), { tools: [weather], choice: 'required' }))
  const call = (parameters: string) => `\n<tool_call>\n<function=get_weather>\n${parameters}</function>\n</tool_call>`
  const parameter = (key: string, value: string) => `<parameter=${key}>\n${value}\n</parameter>\n`
  for (const right of [parameter('city', 'New "York"'), parameter('city', 'Rome') + parameter('days', '3')])
    expect(fits(call(right)), right).toBe(true)
  for (const wrong of ['', parameter('days', '3'), parameter('city', 'Rome') + parameter('days', 'three'), parameter('town', 'Rome')])
    expect(fits(call(wrong)), wrong).toBe(false)
})

test.for([hermes, tagged])('what the template writes is accepted, and mutations are refused', (template) => {
  const trials = proveStructuralTag(formatOf(template))
  expect(trials.length).toBeGreaterThan(8)
  expect(trials.filter(({ isAccepted, accepted }) => !isAccepted || accepted.length > 0)).toEqual([])
})

test('calls that cannot be expressed, tools without a usable name, and unknown names are refused with the reason', () => {
  const python = chat(
    `{% for c in m.tool_calls or [] %}{{ '<calls>' + c.function.name + '(' }}{% for k, v in c.function.arguments.items() %}{{ k + '=' + (v | tojson) + ', ' }}{% endfor %}{{ ')</calls>' }}{% endfor %}`,
  )
  expect(() => structuralTag(formatOf(python), { tools: [now] })).toThrow('a structural tag cannot express its replies')
  expect(() => structuralTag(formatOf(hermes), { tools: [{ name: 'x"}<tool_call>' }] })).toThrow('is no name of a tool')
  expect(() => structuralTag(formatOf(hermes), { tools: [now], choice: { name: 'later' } })).toThrow('not among the tools')
})
