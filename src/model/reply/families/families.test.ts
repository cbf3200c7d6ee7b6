import { describe, expect, test } from 'vitest'
import { parseReply, ReplyParser } from '../parse/reply-parser.ts'
import { syntaxAliases } from './aliases.ts'
import { families } from './families.ts'
import { replySyntax, replySyntaxes } from './reply-syntaxes.ts'

const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } } }]

describe('the example of each family is a call', () => {
  for (const [name, { example }] of Object.entries(families)) {
    if (example === undefined) continue
    test(name, () => {
      const reply = parseReply(example, replySyntax(name), { tools })
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
        const { calls } = parseReply(example.slice(0, end), replySyntax(name), { tools })
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
