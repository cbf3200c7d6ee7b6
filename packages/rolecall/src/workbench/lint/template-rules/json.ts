import type { PyValue } from '@rolecall/core/internal/python'
import { call, calling, describeChat, type ProbeChat, result, tool, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { codeAt, type TemplateSubject } from '../template-subject.ts'

const loop = (body: string, before = '') => `${before}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}${body}{% endfor %}`

const awkward = 'qzOpen "quoted"\nline qzClose'
const awkwardTool: PyValue = {
  type: 'function',
  function: {
    name: 'qzTool',
    description: awkward,
    parameters: { type: 'object', properties: { qzKey: { type: 'string', description: awkward } }, required: ['qzKey'] },
  },
}

const places: readonly (readonly [what: string, chat: ProbeChat])[] = [
  ['the description of a tool', { messages: [user()], tools: [awkwardTool] }],
  ['the argument of a call', { messages: [user(), calling([call(0, { qzKey: awkward })]), result()], tools: [tool] }],
]

/** JSON assembled by hand. */
export const jsonUnescaped: TemplateRule = {
  id: 'json-unescaped',
  severity: 'warning',
  finds: 'Text is written between quotes without escaping.',
  why: 'The result is invalid JSON as soon as the text contains a quote or line break: the model reads, and learns to write, broken calls.',
  fix: 'write the value with `| tojson` instead of quotes',
  example: {
    bad: loop('', '{% for t in tools %}{"name": "{{ t.function.name }}", "description": "{{ t.function.description }}"}{% endfor %}'),
    good: loop('', '{% for t in tools %}{{ t.function | tojson }}{% endfor %}'),
  },
  check(subject) {
    return places.flatMap(([what, chat]): RuleMatch[] => {
      const written = subject.write(chat)
      const at = written?.text.indexOf(`"${awkward}"`) ?? -1
      if (written === undefined || at < 0) return []
      return [
        {
          at: codeAt(written, at),
          problem: `${what} is written between quotes without escaping: ${quote(written.text.slice(at, at + awkward.length + 2))}`,
          shown: { of: `${what} is ${quote(awkward)}`, text: written.text, mark: [at, at + awkward.length + 2] },
        },
      ]
    })
  },
}

/** Values printed as Python literals. */
export const pythonValues: TemplateRule = {
  id: 'python-values',
  severity: 'warning',
  finds: "Tools or arguments are printed as a Python dict: `{'key': True}`.",
  why: 'This is not JSON: the model learns single quotes, `True` and `None`, and other template engines print something else.',
  fix: 'write the value with `| tojson`',
  example: {
    bad: loop('', '{% if tools %}{{ tools }}{% endif %}'),
    good: loop('', '{% if tools %}{{ tools | tojson }}{% endif %}'),
  },
  check(subject) {
    const tools = printed(subject, 'tools are', { messages: [user()], tools: [tool] }, /\{'(?:type|name|function)': /)
    const [called] = calls.flatMap((chat) => printed(subject, 'arguments of calls are', chat, /\{'qzKey': 'qzValue'/) ?? [])
    return [tools, called].flatMap((found) => found ?? [])
  },
}

const calls: readonly ProbeChat[] = [
  { messages: [user(), calling([call(0, { qzKey: 'qzValue' })]), result()], tools: [tool] },
  { messages: [user(), calling([call(0, { qzKey: 'qzValue' })]), result()] },
]

function printed(subject: TemplateSubject, what: string, chat: ProbeChat, pattern: RegExp): RuleMatch | undefined {
  const written = subject.write(chat)
  const found = written && pattern.exec(written.text)
  if (!found) return undefined
  return {
    at: codeAt(written, found.index),
    problem: `${what} printed as a Python dict: ${quote(written.text.slice(found.index, found.index + 40))}`,
    shown: { of: describeChat(chat), text: written.text, mark: [found.index, found.index + 40] },
  }
}

/** Arguments quoted twice. */
export const argumentsQuoted: TemplateRule = {
  id: 'arguments-quoted',
  severity: 'note',
  finds: 'Arguments given as a JSON string, as in the OpenAI API, are written as a quoted string.',
  why: 'The history contains `"{\\"city\\": …}"` where the model itself writes `{"city": …}`, on servers that pass arguments through unparsed.',
  fix: 'write the arguments unchanged if `arguments is string`, or let the server parse them first',
  example: {
    bad: loop('{% if m.tool_calls %}{{ m.tool_calls[0].function | tojson }}{% endif %}'),
    good: loop(
      '{% if m.tool_calls %}{% set f = m.tool_calls[0].function %}{{ f.name }}{{ f.arguments if f.arguments is string else f.arguments | tojson }}{% endif %}',
    ),
  },
  check(subject) {
    if (subject.takesOnlyTextArguments) return []
    const chat: ProbeChat = { messages: [user(), calling([call(0, '{"qzKey": "qzValue"}')]), result()], tools: [tool] }
    const written = subject.write(chat) ?? subject.write({ messages: chat.messages })
    const found = written && /"\{\\"qzKey\\": \\"qzValue\\"\}"/.exec(written.text)
    if (!found) return []
    return [
      {
        at: codeAt(written, found.index),
        problem: `arguments given as a JSON string are quoted again: ${found[0]}`,
        shown: { of: 'a call whose arguments are a JSON string', text: written.text, mark: [found.index, found.index + found[0].length] },
      },
    ]
  },
}
