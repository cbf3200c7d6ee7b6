import { describe, expect, test } from 'vitest'
import { compileChat } from '../../prompt/compile/compile-chat.ts'
import { findSyntax } from '../find-syntax.ts'
import { parseExactReply } from '../parse/reply-parser.ts'

// Templates in which text, thoughts and calls have separate marks inside a turn, as several families mix them.

type Turn = { thought?: string; text?: string; calls: string; end?: string; prompt?: string; header?: string }

/** A template whose turns begin with `header` and end with `end`; ROLE is the role. */
function template({ thought = '', text = '{{ m.content }}', calls, end = '<@end@>', prompt = '', header = '<@ROLE@>' }: Turn): string {
  const open = (role: string) => header.replace('ROLE', role)
  return `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}{% if m.role == 'assistant' %}${open('assistant')}${thought}{% if m.content %}${text}{% endif %}{% if m.tool_calls %}${calls}{% endif %}{% else %}${open('{{ m.role }}')}{{ m.content }}{% endif %}${end}{% endfor %}{% if add_generation_prompt %}${open('assistant')}${prompt}{% endif %}`
}

const each = (call: string, between = '') => `{% for c in m.tool_calls %}${call}{% if not loop.last %}${between}{% endif %}{% endfor %}`
const thought = (written: string) => `{% if m.reasoning_content %}${written.replace('THOUGHT', '{{ m.reasoning_content }}')}{% endif %}`
const name = '{{ c.function.name }}'
const given = '{{ c.function.arguments | tojson }}'
const json = `{"name": "${name}", "arguments": ${given}}`
const parameters = (one: string) => `{% for k, v in c.function.arguments.items() %}${one}{% endfor %}`
const value = '{{ v if v is string else v | tojson }}'

const templates: Record<string, string> = {
  'marks around the words, which calls follow': template({
    thought: thought('<think>\nTHOUGHT\n</think>\n'),
    text: '<response>\n{{ m.content }}\n</response>\n',
    calls: each(`<use>\n${json}\n</use>\n`),
  }),
  'a mark that closes thoughts, words and calls alike': template({
    thought: thought('<@thinks@>THOUGHT<@close@>'),
    text: '<@says@>{{ m.content }}<@close@>',
    calls: each(`<@calls@>${json}<@close@>`),
  }),
  'a mark that ends thoughts and turns alike, with a header between': template({
    thought: thought('<@thinks@>THOUGHT<@end@><@assistant@>'),
    text: '<@says@>{{ m.content }}',
    calls: `<@calls@>${each(`<@id@>{{ c.id }}<@name@>${name}<@with@>${given}<@/call@>`)}`,
  }),
  'messages with heads': template({
    header: '<@go@>ROLE',
    thought: thought('<@to@>self<@body@>THOUGHT<@fin@><@go@>assistant'),
    text: '<@to@>all<@body@>{{ m.content }}',
    calls: each(`<@to@>tools.${name} <@kind@>json<@body@>${given}<@run@>`, '<@go@>assistant'),
  }),
  'marks of several words, attributes behind the name': template({
    header: '<@open@>message role="ROLE"<@sep@>',
    thought: thought('<@open@>think<@sep@>THOUGHT<@close@>think<@sep@>'),
    text: '<@open@>answer<@sep@>{{ m.content }}<@close@>answer<@sep@>',
    calls: `<@open@>tools<@sep@>${each(`<@open@>call tool="${name}" n="{{ loop.index }}"<@sep@>${parameters(`<@open@>arg key="{{ k }}" type="{{ 'string' if v is string else 'json' }}"<@sep@>${value}<@close@>arg<@sep@>`)}<@close@>call<@sep@>`)}<@close@>tools<@sep@>`,
    end: '<@close@>message<@sep@>',
  }),
  'arrows that the prompt opens': template({ text: '==>all\n{{ m.content }}', calls: each(`==>${name}\n${given}`), prompt: '==>' }),
  'a fence of quotes': template({ calls: `Do:'''json\n[${each(`\n    ${json}`, ',')}\n]'''` }),
  'elements behind a prefix': template({
    calls: `~{x}~<tools>\n${each(`~{x}~<use name="${name}">${parameters(`~{x}~<{{ k }}>${value}~{x}~</{{ k }}>`)}~{x}~</use>\n`)}~{x}~</tools>`,
  }),
  'calls that are counted': template({ calls: each(`<call {{ loop.index }}>${name}\n${given}</call>`) }),
  'tagged calls that are counted': template({
    calls: each(`<call n="{{ loop.index }}" f="${name}">${parameters(`<arg k="{{ k }}">${value}</arg>`)}</call>`),
  }),
  'two marks around each argument': template({
    calls: each(`<call>${name}${parameters(`<arg><k>{{ k }}</k><v>${value}</v></arg>`)}</call>`),
  }),
}

const withoutThoughts = 'the template writes no reasoning; text between <think> and </think> is read as reasoning'

describe('marks inside a turn are distinguished from its end', () => {
  for (const [what, chat_template] of Object.entries(templates)) {
    test(what, () => {
      const { proven, unread, how, notes } = findSyntax(compileChat({ chat_template }).format)
      expect({ unread, proven, how }).toEqual({ unread: [], proven: true, how: 'derived' })
      expect(notes.join()).toBe(chat_template.includes('reasoning_content') ? '' : withoutThoughts)
    })
  }
})

test('a model that goes from its thought to a call is understood, although the template writes words between', () => {
  const { syntax } = findSyntax(compileChat({ chat_template: templates['marks of several words, attributes behind the name']! }).format)
  const reply =
    'Hm.<@close@>think<@sep@><@open@>tools<@sep@><@open@>call tool="f" n="1"<@sep@><@open@>arg key="a" type="json"<@sep@>1<@close@>arg<@sep@><@close@>call<@sep@><@close@>tools<@sep@><@close@>message<@sep@>'
  const prompt = 'Hi<@close@>message<@sep@><@open@>message role="assistant"<@sep@><@open@>think<@sep@>'
  const read = parseExactReply(reply, syntax, { prompt })
  expect(read).toMatchObject({ reasoning: 'Hm.', text: '', calls: [{ kind: 'call', name: 'f', arguments: { a: 1 } }], problems: [] })
})

test('thoughts that are a block of the content are read', () => {
  const chat_template = template({
    text: "{% if m.content is string %}{{ m.content }}{% else %}{% for b in m.content %}{% if b.type == 'thinking' %}[REASON]{{ b.thinking }}[/REASON]{% else %}{{ b.text }}{% endif %}{% endfor %}{% endif %}",
    calls: each(`[CALLS]${name}[WITH]${given}`),
  })
  const { proven, syntax } = findSyntax(compileChat({ chat_template }).format)
  expect(proven).toBe(true)
  expect(syntax.reasoning).toMatchObject([{ open: '[REASON]', close: '[/REASON]' }])
})

test('a mark before the result of a call ends the turn, too', () => {
  const chat_template = template({ calls: each(`<call>${json}</call>`), end: '{% if not m.tool_calls %}<@end@>{% endif %}' }).replace(
    '{{ m.content }}{% endif %}{% if',
    "{% if m.role == 'tool' %}<@result@>{% endif %}{{ m.content }}{% endif %}{% if",
  )
  const { syntax, proven } = findSyntax(compileChat({ chat_template, special_tokens: {} }).format)
  expect([proven, syntax.ends]).toEqual([true, ['<@end@>', '<@tool@>']])
  expect(parseExactReply('<call>{"name": "f", "arguments": {}}</call><@tool@>more', syntax)).toMatchObject({ text: '', rest: 'more' })
})

describe('calls in the turn of another role, which follows the end of the own turn', () => {
  const frames: Readonly<Record<string, readonly [open: string, close: string, end: string]>> = {
    'the name before a mark': ['', '<@sep@>\n', '<@end@>\n\n'],
    'the name after a mark': ['<|im_start|>', '\n', '<|im_end|>\n'],
    'the name between marks': ['<|head|>', '<|/head|>\n\n', '<|eot|>'],
    'the name in a heading': ['### ', ':\n', '</s>\n'],
  }
  for (const [name, [open, close, end]] of Object.entries(frames))
    for (const isEmptyWritten of [true, false])
      test(`${name}${isEmptyWritten ? ', behind an empty turn' : ''}`, () => {
        const own = (content: string) => `${open}assistant${close}${content}${end}`
        const before = isEmptyWritten ? own('{{ m.content }}') : `{% if m.content %}${own('{{ m.content }}')}{% endif %}`
        const call = `${open}function call${close}{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}${end}`
        const chat_template = `{% for m in messages %}{% if m.tool_calls %}${before}{% for c in m.tool_calls %}${call}{% endfor %}{% else %}${open}{{ m.role }}${close}{{ m.content }}${end}{% endif %}{% endfor %}{% if add_generation_prompt %}${open}assistant${close}{% endif %}`
        const { syntax, proven, how } = findSyntax(compileChat({ chat_template }).format)
        expect({ proven, how }).toEqual({ proven: true, how: 'derived' })
        const written = `${open}function call${close}{"fn": "now", "kw": {"a": 1}}${end}`
        for (const said of ['', 'Hi.'])
          expect(parseExactReply(said + end + written + written, syntax)).toMatchObject({
            text: said,
            calls: [{ name: 'now' }, { name: 'now' }],
          })
        expect(parseExactReply(written, syntax)).toMatchObject({ text: '', calls: [{ name: 'now', arguments: { a: 1 } }] })
      })
})
