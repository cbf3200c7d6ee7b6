import { assistant, calling, type ProbeChat, result, system, tool, user } from '../chats.ts'
import { quote } from '../quote.ts'
import type { Found, TemplateRule } from '../rule.ts'

/** Conversations that programs send, and that templates refuse. */
const common: readonly (readonly [what: string, chat: ProbeChat])[] = [
  ['a system text', { messages: [system(), user()] }],
  ['a system text in the middle', { messages: [system(), user(), assistant(), system('qzSecond'), user('qzAgain')] }],
  ['the role developer', { messages: [{ role: 'developer', content: 'qzDeveloper' }, user()] }],
  ['two messages of the user in a row', { messages: [user('qzFirst'), user('qzNext')] }],
  ['a chat that begins with the assistant', { messages: [assistant(), user()] }],
  ['the result of a tool', { messages: [user(), calling(), result()], tools: [tool] }],
]

/** A conversation that is refused aloud. */
export const roleRefused: TemplateRule = {
  id: 'role-refused',
  severity: 'note',
  finds: 'The template raises an error for a conversation that programs commonly send.',
  why: 'A server answers such a request with an error, unless it changes the messages before.',
  fix: 'know it: fold a system text into the first message of the user (`system_policy: fold`), join neighbours of one role',
  example: {
    bad: "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}{{ m.content }}{% endfor %}",
    good: '{% for m in messages %}{{ m.content }}{% endfor %}',
  },
  check(subject) {
    if (!subject.isUsable) return []
    // One `raise_exception` for several of them is one finding.
    const refused = new Map<string, { whats: string[]; found: Found }>()
    for (const [what, chat] of common) {
      const refusal = subject.refusal(chat)
      if (refusal === undefined) continue
      const at = subject.spanOf(refusal)
      const key = `${at?.start} ${refusal.problem}`
      const known = refused.get(key)
      if (known) known.whats.push(what)
      else refused.set(key, { whats: [what], found: { at, problem: refusal.problem } })
    }
    return [...refused.values()].map(({ whats, found }) => ({
      ...found,
      problem: `${whats.join(', ')}: refused with ${quote(found.problem)}`,
    }))
  },
}

const foreign: ProbeChat = { messages: [user(), { role: 'qzrole', content: 'qzForeign' }, user('qzAgain')] }

/** A role that is nobody's. */
export const foreignRole: TemplateRule = {
  id: 'foreign-role',
  severity: 'note',
  finds: 'A message whose role the template does not know is left out, or its role becomes part of a control token.',
  why: 'A misspelt role loses its message. A role from data that is written between `<|` and `|>` lets that data write control tokens.',
  fix: 'raise_exception for roles that the template does not know',
  example: {
    bad: '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}',
    good: "{% for m in messages %}{% if m.role not in ['system', 'user', 'assistant', 'tool'] %}{{ raise_exception('unknown role') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
  },
  check(subject) {
    const written = subject.write(foreign)
    if (written === undefined) return []
    if (!written.text.includes('qzForeign'))
      return [
        {
          problem: 'a message of a role that the template does not know is left out without an error',
          shown: { of: 'user, an unknown role, user', text: written.text },
        },
      ]
    const marker = /<\|?[^<>|\s]*qzrole[^<>|\s]*\|?>/.exec(written.text)
    if (!marker) return []
    return [
      {
        severity: 'warning',
        problem: `any role is written into a control token: the role "qzrole" becomes ${quote(marker[0])}`,
        shown: { of: 'user, an unknown role, user', text: written.text, mark: [marker.index, marker.index + marker[0].length] },
      },
    ]
  },
}
