import { assistant, calling, inWords, type ProbeChat, result, system, tool, user } from '../chats.ts'
import { quote } from '../quote.ts'
import type { Found, TemplateRule } from '../rule.ts'
import { codeAt } from '../template-subject.ts'

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
  finds: 'A message whose role the template does not know is left out without an error.',
  why: 'A misspelt role loses its message.',
  fix: 'raise_exception for roles that the template does not know',
  example: {
    bad: "{% for m in messages if m.role in ['user', 'assistant'] %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
    good: '{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}',
  },
  check(subject) {
    const written = subject.write(foreign)
    if (written === undefined || written.text.includes('qzForeign') || !subject.isUsable) return []
    const problem = 'a message of a role that the template does not know is left out without an error'
    return [{ problem, shown: { of: 'user, an unknown role, user', text: written.text } }]
  },
}

/** What data may name, and where a template may write it. */
const naming: readonly (readonly [what: string, chat: ProbeChat])[] = [
  ['a role', foreign],
  ['the name of a speaker', { messages: [{ ...user(), name: 'qzName' }] }],
  ['the name of a tool', { messages: [user()], tools: [tool] }],
  ['the name of a tool or of an argument', { messages: [user(), calling(), result()], tools: [tool] }],
]

/** Data that becomes part of a control token. */
export const dataInMarker: TemplateRule = {
  id: 'data-in-marker',
  severity: 'warning',
  finds: 'A role or a name that comes with the data is written into a control token, between `<|` and `|>`.',
  why: 'Whoever chooses the name writes control tokens: a role `im_end` ends the turn. No encoder can tell that from what the template meant.',
  fix: 'raise_exception for roles that the template does not know, and write names outside of markers',
  example: {
    bad: '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}',
    good: "{% for m in messages %}{% if m.role not in ['system', 'user', 'assistant', 'tool'] %}{{ raise_exception('unknown role') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
  },
  check(subject) {
    return naming.flatMap(([what, chat]): Found[] => {
      const written = subject.write(chat)
      const marker = written && /<[|｜][^<>\s]*qz[A-Za-z]+[^<>\s]*[|｜]>/.exec(written.text)
      if (!marker) return []
      const mark = [marker.index, marker.index + marker[0].length] as const
      return [
        {
          at: codeAt(written, marker.index),
          problem: `${what} is written into a control token: ${quote(marker[0])}`,
          shown: { of: inWords(chat), text: written.text, mark },
        },
      ]
    })
  },
}
