import { chatTemplateFormat } from '@rolecall/core/internal/format'
import type { PyValue } from '@rolecall/core/internal/python'
import { callProbe, callsProbe, findSyntax, valueNames } from '@rolecall/core/internal/reply'
import { call, calling, result, tool, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { codeAt, type TemplateSubject } from '../template-subject.ts'

const loop = (call: string) =>
  `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}${call}{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

/** Probes of the calls themselves, without text or reasoning around them. */
const valuesOfCalls = new Set([callsProbe.name, ...valueNames])

/** Tool calls that cannot be parsed back. */
export const callsUnreadable: TemplateRule = {
  id: 'calls-unreadable',
  severity: 'warning',
  finds:
    'Two different tool calls render the same, so they cannot be parsed back; or Rolecall cannot parse the syntax the template writes.',
  why: 'A model writes calls as its template does. Calls that cannot be parsed back exactly are lost or changed in every reply.',
  fix: 'write calls between dedicated markers, with JSON arguments (`| tojson`)',
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
    const ambiguity = ambiguityIn(subject)
    if (ambiguity) return [ambiguity]
    const format = chatTemplateFormat(subject.source, { specialTokens: subject.tokens, compile: subject.compile })
    const { how, unread, example } = findSyntax(format)
    const shown = { of: 'a call', text: example ?? written.text }
    // The calls are distinguishable, so if we fail to parse them, our parser may just not know the syntax.
    if (how === 'text' || unread.includes(callProbe.name))
      return [
        {
          severity: 'note',
          problem: 'Rolecall cannot parse tool calls in this syntax: it treats such replies as text',
          shown,
        },
      ]
    const changed = unread.filter((name) => valuesOfCalls.has(name))
    if (changed.length === 0) return []
    return [{ severity: 'note', problem: `Rolecall does not parse calls with these exactly: ${changed.join(', ')}`, shown }]
  },
}

/** Two calls that render the same: one with two arguments, and one whose only argument contains the text between the two. */
function ambiguityIn(subject: TemplateSubject): RuleMatch | undefined {
  const write = (given: Readonly<Record<string, PyValue>>) =>
    subject.write({ messages: [user(), calling([call(0, given)])], tools: [twoKeys] })
  const two = write({ qzKey: 'qzOne', qzMore: 'qzTwo' })
  const [start, end] = [two?.text.lastIndexOf('qzOne') ?? -1, two?.text.lastIndexOf('qzTwo') ?? -1]
  if (two === undefined || start < 0 || end < start) return undefined
  const between = two.text.slice(start + 'qzOne'.length, end)
  const one = write({ qzKey: `qzOne${between}qzTwo` })
  if (one?.text !== two.text) return undefined
  // Special tokens in data stay text, so the two differ by token ids.
  if (/<[|｜]|[|｜]>/.test(between)) return undefined
  // Tags rarely occur in values, quotes do.
  const isTagged = /<[^<>]+>/.test(between)
  return {
    at: codeAt(two, start + 'qzOne'.length),
    severity: isTagged ? 'note' : 'warning',
    problem: `two calls render the same: {"qzKey": "qzOne", "qzMore": "qzTwo"}, and {"qzKey": ${quote(`qzOne${between}qzTwo`)}}`,
    fix: isTagged ? 'escape the tags in values, or accept that a value containing them is cut there' : callsUnreadable.fix,
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
