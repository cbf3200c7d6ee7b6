import { assistant, calling, describeChat, type ProbeChat, result, system, tool, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { codeAt } from '../template-subject.ts'

/** Common conversations that templates reject. */
const common: readonly (readonly [what: string, chat: ProbeChat])[] = [
  ['a system message', { messages: [system(), user()] }],
  ['a system message in the middle', { messages: [system(), user(), assistant(), system('qzSecond'), user('qzAgain')] }],
  ['the role developer', { messages: [{ role: 'developer', content: 'qzDeveloper' }, user()] }],
  ['two user messages in a row', { messages: [user('qzFirst'), user('qzNext')] }],
  ['a chat that starts with the assistant', { messages: [assistant(), user()] }],
  ['a tool result', { messages: [user(), calling(), result()], tools: [tool] }],
]

/** A common conversation that raises an error. */
export const roleRefused: TemplateRule = {
  id: 'role-refused',
  severity: 'note',
  finds: 'The template raises an error for a common kind of conversation.',
  why: 'A server rejects such requests unless it rewrites the messages first.',
  fix: '`roles: auto` on the model (the default of `serve`) rewrites such conversations and reports each step; `rolecall formats --roles` shows what it does',
  example: {
    bad: "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}{{ m.content }}{% endfor %}",
    good: '{% for m in messages %}{{ m.content }}{% endfor %}',
  },
  check(subject) {
    if (!subject.isUsable) return []
    // Report each `raise_exception` once, with all conversations it rejects.
    const refused = new Map<string, { whats: string[]; found: RuleMatch }>()
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
      problem: `${whats.join(', ')}: rejected with ${quote(found.problem)}`,
    }))
  },
}

const foreign: ProbeChat = { messages: [user(), { role: 'qzrole', content: 'qzForeign' }, user('qzAgain')] }

/** An unknown role. */
export const foreignRole: TemplateRule = {
  id: 'foreign-role',
  severity: 'note',
  finds: 'A message with an unknown role is silently dropped.',
  why: 'A misspelt role loses its message.',
  fix: 'raise_exception for unknown roles',
  example: {
    bad: "{% for m in messages if m.role in ['user', 'assistant'] %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
    good: '{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}',
  },
  check(subject) {
    const written = subject.write(foreign)
    if (written === undefined || written.text.includes('qzForeign') || !subject.isUsable) return []
    const problem = 'a message with an unknown role is silently dropped'
    return [{ problem, shown: { of: 'user, an unknown role, user', text: written.text } }]
  },
}

/** Names from data that a template may write. */
const naming: readonly (readonly [what: string, chat: ProbeChat])[] = [
  ['a role', foreign],
  ['a speaker name', { messages: [{ ...user(), name: 'qzName' }] }],
  ['a tool name', { messages: [user()], tools: [tool] }],
  ['a tool or argument name', { messages: [user(), calling(), result()], tools: [tool] }],
]

/** Data that becomes part of a control token. */
export const dataInMarker: TemplateRule = {
  id: 'data-in-marker',
  severity: 'warning',
  finds: 'A role or name from the data is written into a control token, between `<|` and `|>`.',
  why: 'Data can then forge control tokens: a role `im_end` ends the turn, and no encoder can tell it from the template’s own token.',
  fix: 'raise_exception for unknown roles, and write names outside markers',
  example: {
    bad: '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}',
    good: "{% for m in messages %}{% if m.role not in ['system', 'user', 'assistant', 'tool'] %}{{ raise_exception('unknown role') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
  },
  check(subject) {
    return naming.flatMap(([what, chat]): RuleMatch[] => {
      const written = subject.write(chat)
      const marker = written && /<[|｜][^<>\s]*qz[A-Za-z]+[^<>\s]*[|｜]>/.exec(written.text)
      if (!marker) return []
      const mark = [marker.index, marker.index + marker[0].length] as const
      return [
        {
          at: codeAt(written, marker.index),
          problem: `${what} is written into a control token: ${quote(marker[0])}`,
          shown: { of: describeChat(chat), text: written.text, mark },
        },
      ]
    })
  },
}
