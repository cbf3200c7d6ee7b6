import { chatTemplateFormat } from '../../format/chat-template/chat-template-format.ts'
import { callProbe, callsProbe, valueProbes } from '../../reply/derive/probes.ts'
import { findSyntax } from '../../reply/syntax-of.ts'
import { calling, result, tool, user } from '../chats.ts'
import type { TemplateRule } from '../rule.ts'

const loop = (call: string) =>
  `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}${call}{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

/** The probes that are about calls alone: words and thoughts around them are another matter. */
const valuesOfCalls = new Set([callsProbe, ...valueProbes].map(({ name }) => name))

/** Calls that cannot be told from text. */
export const callsUnreadable: TemplateRule = {
  id: 'calls-unreadable',
  severity: 'warning',
  finds:
    'Calls as the template writes them cannot be read back: written and read again, a name or an argument is another one, or there is no call.',
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
    const format = chatTemplateFormat(subject.source, { specialTokens: subject.tokens, compile: subject.compile })
    const { how, unread, example } = findSyntax(format)
    const shown = { of: 'a call', text: example ?? written.text }
    // Where not even a plain call comes back, it may be our reader that does not know the form.
    if (how === 'text' || unread.includes(callProbe.name))
      return [
        {
          severity: 'note',
          problem: 'Rolecall does not find the call in what the template writes: replies in this form are text to it',
          shown,
        },
      ]
    const changed = unread.filter((name) => valuesOfCalls.has(name))
    return changed.length === 0 ? [] : [{ problem: `calls with these do not come back as they were: ${changed.join(', ')}`, shown }]
  },
}
