import { describe, expect, test } from 'vitest'
import { parseExactReply, ReplyParser } from '../parse/reply-parser.ts'
import { syntaxAliases } from './aliases.ts'
import { families } from './families.ts'
import { replySyntax, replySyntaxes } from './reply-syntaxes.ts'

const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } } }]

describe('the example of each family is a call', () => {
  for (const [name, { example }] of Object.entries(families)) {
    if (example === undefined) continue
    test(name, () => {
      const reply = parseExactReply(example, replySyntax(name), { tools })
      expect(reply.calls).toMatchObject([{ kind: 'call', name: 'get_weather', arguments: { city: 'Paris' } }])
      expect(reply.calls[0]).not.toHaveProperty('problems')
      expect(reply.text.replace('Action:', '').trim()).toBe('')
      const parser = new ReplyParser(replySyntax(name), { tools })
      for (const character of example) parser.push(character)
      parser.end()
      expect(parser.reply).toEqual(reply)
    })

    test(`${name}, cut anywhere, gives no other call and throws nothing`, () => {
      for (let end = 0; end < example.length; end++) {
        const { calls } = parseExactReply(example.slice(0, end), replySyntax(name), { tools })
        for (const call of calls)
          if (call.kind === 'call') expect(['{}', '{"city": "Paris"}', '{"city":"Paris"}']).toContain(call.argumentsText)
      }
    })
  }
})

test('every syntax is called by its name, and names of vLLM and SGLang are understood', () => {
  for (const [name, syntax] of Object.entries(replySyntaxes)) expect([name, syntax.name]).toEqual([name, name])
  for (const [alias, name] of Object.entries(syntaxAliases)) expect([alias, replySyntax(alias).name]).toEqual([alias, name])
  expect(replySyntax('qwen3_coder').name).toBe('qwen3-coder')
  expect(replySyntax('openai').name).toBe('gpt-oss')
  expect(() => replySyntax('qwen3-codr')).toThrow('Did you mean "qwen3-coder"?')
})

test('a space between the tokens that open a call: text for InternLM2, with a problem that says so, and a call for Intern-S1', () => {
  const reply = 'Hi.<|action_start|> <|plugin|>\n{"name": "now", "parameters": {}}<|action_end|>'
  expect(parseExactReply(reply, 'intern-s1')).toMatchObject({ text: 'Hi.', calls: [{ name: 'now' }], problems: [] })
  const problem = '<|action_start|> <|plugin|> is read as text: a call opens with <|action_start|><|plugin|>, without a space'
  const read = parseExactReply(reply, 'internlm2')
  expect(read).toMatchObject({ text: reply, calls: [], problems: [{ problem, at: [3, 30] }] })
  const parser = new ReplyParser('internlm2')
  for (const character of reply) parser.push(character)
  parser.end()
  expect(parser.reply).toEqual(read)
})

describe('GigaChat: a call is the turn of another role, behind the end of the own turn', () => {
  const call = '{"name": "now", "arguments": {"a": 1}}'
  for (const opening of ['', '<|message_sep|>\n\n', 'Hi.<|message_sep|>\n\n'])
    test(`after ${JSON.stringify(opening)}`, () => {
      const { text, calls, problems } = parseExactReply(`${opening}function call<|role_sep|>\n${call}<|message_sep|>\n\n`, 'gigachat3')
      expect({ text, calls, problems }).toMatchObject({
        text: opening.slice(0, 3) === 'Hi.' ? 'Hi.' : '',
        calls: [{ name: 'now' }],
        problems: [],
      })
    })

  test('with the mark of 3.1', () => {
    expect(parseExactReply(`Hi.<|function_call|>${call}<|message_sep|>`, 'gigachat3')).toMatchObject({
      text: 'Hi.',
      calls: [{ name: 'now' }],
    })
  })
})
