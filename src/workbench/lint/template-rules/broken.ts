import { type ProbeChat, system, tool, user } from '../chats.ts'
import type { TemplateRule } from '../rule.ts'

/** A lone question, as it is and with what some templates ask for beside it. */
const simplest: readonly ProbeChat[] = [
  { messages: [user()], isAsked: true },
  { messages: [system(), user()], isAsked: true },
  { messages: [user()], tools: [tool], isAsked: true },
]

/** A template that cannot write a lone question. */
export const broken: TemplateRule = {
  id: 'broken',
  severity: 'error',
  finds: 'The template cannot be read, or writes no prompt for a lone question of a user, or leaves the question out.',
  why: 'Nothing can be asked with it.',
  fix: 'correct the template at the place that the error names',
  example: {
    bad: '{% for m in messages %}{{ m.content + m.suffix }}{% endfor %}',
    good: '{% for m in messages %}{{ m.content }}{% endfor %}',
  },
  check(subject) {
    if (simplest.some((chat) => subject.shows(chat, 'qzUser'))) return []
    const refusal = subject.refusal(simplest[0]!)
    if (refusal) return [{ at: subject.spanOf(refusal), problem: `a lone question is refused: ${refusal.problem}` }]
    const { text } = subject.write(simplest[0]!)!
    return [{ problem: 'a lone question is left out of its own prompt', shown: { of: 'user; the model is asked', text } }]
  },
}
