import { describe, expect, test } from 'vitest'
import { compileChat } from '../../prompt/compile/compile-chat.ts'
import { findSyntax } from '../find-syntax.ts'
import { ReplyParser } from '../parse/reply-parser.ts'
import type { ReplySyntax } from '../syntax.ts'

// What models write and templates do not, read by syntaxes that were derived.

const turns = (calls: string) =>
  `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}<@{{ m.role }}@>{% if m.reasoning_content %}<muse>\n{{ m.reasoning_content }}\n</muse>\n{% endif %}{{ m.content }}{% for c in m.tool_calls or [] %}${calls}{% endfor %}<@end@>{% endfor %}{% if add_generation_prompt %}<@assistant@>{% endif %}`
const parameters = (one: string) => `{% for k, v in c.function.arguments.items() %}${one}{% endfor %}`
const value = '{{ v if v is string else v | tojson }}'

/** By shape: the template's words for a call, and one call as the model writes it. */
const shapes: Record<string, [template: string, call: string]> = {
  JSON: [
    '<do>{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}</do>',
    '<do>{"fn": "f", "kw": {"a": "x < y"}}</do>',
  ],
  'a name before JSON': ['<do>{{ c.function.name }}<with>{{ c.function.arguments | tojson }}</do>', '<do>f<with>{"a": "x < y"}</do>'],
  tagged: [`<do={{ c.function.name }}>\n${parameters(`<p={{ k }}>\n${value}\n</p>\n`)}</do>`, '<do=f>\n<p=a>\nx < y\n</p>\n</do>'],
  'JSON without marks': [
    '{"name": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}',
    '{"name": "f", "kw": {"a": "x < y"}}',
  ],
}
const tools = [{ name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } }]

function read(text: string, syntax: ReplySyntax, prompt: string, size: number) {
  const parser = new ReplyParser(syntax, { prompt, tools })
  for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size))
  parser.end()
  const { text: said, reasoning, calls } = parser.reply
  return { said: said.trim(), reasoning, calls: calls.map((call) => (call.kind === 'call' ? call.arguments : call.kind)) }
}

const given = { a: 'x < y' }

describe.each(Object.entries(shapes))('replies to a template that writes %s', (_, [template, call]) => {
  const { syntax, proven } = findSyntax(compileChat({ chat_template: turns(template) }).format)
  const opened = '<@assistant@><muse>\n'

  test.each([
    ['no end mark', call, '<@assistant@>', { said: '', calls: [given] }],
    ['white space around', `\n\n${call}\n\n`, '<@assistant@>', { said: '', calls: [given] }],
    ['words before', `Let me see.\n\n${call}`, '<@assistant@>', { said: 'Let me see.', calls: [given] }],
    ['words between', `${call}\nThen:\n${call}<@end@>`, '<@assistant@>', { said: 'Then:', calls: [given, given] }],
    ['a thought that the prompt opened', `Hm.\n</muse>\n\n${call}`, opened, { said: '', reasoning: 'Hm.', calls: [given] }],
    ['a thought and no more', 'Hm, so', opened, { said: '', reasoning: 'Hm, so', calls: [] }],
    ['an empty thought', '<muse>\n\n</muse>\n\nYes.', '<@assistant@>', { said: 'Yes.', reasoning: '', calls: [] }],
  ])('%s', (__, text, prompt, expected) => {
    expect(proven).toBe(true)
    expect(read(text, syntax, prompt, text.length)).toMatchObject(expected)
    for (const size of [1, 2, 3, 7]) expect(read(text, syntax, prompt, size)).toEqual(read(text, syntax, prompt, text.length))
  })

  test('cut anywhere: complete calls stay, and no marker becomes text', () => {
    const text = `<muse>Hm.</muse>${call}${call}`
    for (let end = 0; end <= text.length; end++) {
      const { said, calls } = read(text.slice(0, end), syntax, '<@assistant@>', 5)
      if (end >= text.length - call.length) expect(calls[0]).toEqual(given)
      if (end < text.length) expect(said).not.toMatch(/<do.|<muse>/)
      else expect(calls).toEqual([given, given])
    }
  })
})
