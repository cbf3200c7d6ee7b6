import type { PyValue } from '../../../base/python/index.ts'
import { callProbe, callsProbe, valueNames } from '../../../model/reply/derive/probes.ts'
import { findSyntax } from '../../../model/reply/find-syntax.ts'
import { chatTemplateFormat } from '../../../prompt/format/chat-template/chat-template-format.ts'
import { call, calling, result, tool, user } from '../chats.ts'
import { quote } from '../quote.ts'
import type { Found, TemplateRule } from '../rule.ts'
import { codeAt, type TemplateSubject } from '../template-subject.ts'

const loop = (call: string) =>
  `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}${call}{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

/** The probes that are about calls alone: words and thoughts around them are another matter. */
const valuesOfCalls = new Set([callsProbe.name, ...valueNames])

/** Calls that cannot be told from text. */
export const callsUnreadable: TemplateRule = {
  id: 'calls-unreadable',
  severity: 'warning',
  finds:
    'Two different calls are written the same, so that nobody can read them back; or Rolecall does not read the form that the template writes.',
  why: 'A model writes calls as its template does. What cannot be read back exactly is lost or changed in every reply.',
  fix: 'write calls between marks of their own, with JSON arguments (`| tojson`)',
  example: {
    bad: loop(
      '<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ "{" }}{% for k, v in c.function.arguments.items() %}{% if not loop.first %}, {% endif %}"{{ k }}": "{{ v }}"{% endfor %}{{ "}" }}}\n</tool_call>',
    ),
    good: loop('<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>'),
  },
  check(subject) {
    const chat = { messages: [user(), calling(), result()], tools: [tool] }
    const written = subject.write(chat)
    if (!written?.text.includes('qzValue')) return []
    const twofold = ambiguityIn(subject)
    if (twofold) return [twofold]
    const format = chatTemplateFormat(subject.source, { specialTokens: subject.tokens, compile: subject.compile })
    const { how, unread, example } = findSyntax(format)
    const shown = { of: 'a call', text: example ?? written.text }
    // What two calls do not share can be read; where we do not, it may be our reader that does not know the form.
    if (how === 'text' || unread.includes(callProbe.name))
      return [
        {
          severity: 'note',
          problem: 'Rolecall does not find the call in what the template writes: replies in this form are text to it',
          shown,
        },
      ]
    const changed = unread.filter((name) => valuesOfCalls.has(name))
    if (changed.length === 0) return []
    return [{ severity: 'note', problem: `Rolecall does not read calls with these back as they were: ${changed.join(', ')}`, shown }]
  },
}

/** Two calls that are written the same: one with two arguments, and one whose only argument holds what stands between the two. */
function ambiguityIn(subject: TemplateSubject): Found | undefined {
  const write = (given: Readonly<Record<string, PyValue>>) =>
    subject.write({ messages: [user(), calling([call(0, given)])], tools: [twoKeys] })
  const two = write({ qzKey: 'qzOne', qzMore: 'qzTwo' })
  const [start, end] = [two?.text.lastIndexOf('qzOne') ?? -1, two?.text.lastIndexOf('qzTwo') ?? -1]
  if (two === undefined || start < 0 || end < start) return undefined
  const between = two.text.slice(start + 'qzOne'.length, end)
  const one = write({ qzKey: `qzOne${between}qzTwo` })
  if (one?.text !== two.text) return undefined
  // Special tokens in data stay text, so that by their ids the two differ.
  if (/<[|｜]|[|｜]>/.test(between)) return undefined
  // Values between tags that nobody types by chance are a smaller matter than values between quotes.
  const isTagged = /<[^<>]+>/.test(between)
  return {
    at: codeAt(two, start + 'qzOne'.length),
    severity: isTagged ? 'note' : 'warning',
    problem: `two calls are written the same: {"qzKey": "qzOne", "qzMore": "qzTwo"}, and {"qzKey": ${quote(`qzOne${between}qzTwo`)}}`,
    fix: isTagged ? 'escape the tags in values, or know that a value which holds them is cut there' : callsUnreadable.fix,
    shown: { of: 'a call with two arguments', text: two.text, mark: [start, end + 'qzTwo'.length] },
  }
}

const twoKeys: PyValue = {
  type: 'function',
  function: {
    name: 'qzTool',
    description: 'qzDescription',
    parameters: { type: 'object', properties: { qzKey: { type: 'string' }, qzMore: { type: 'string' } } },
  },
}
