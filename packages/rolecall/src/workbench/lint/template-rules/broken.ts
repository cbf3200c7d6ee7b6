import { type ProbeChat, system, tool, user } from '../probe-chats.ts'
import type { TemplateRule } from '../rule.ts'

/** A single user message, alone and with what some templates require beside it. */
const simplest: readonly ProbeChat[] = [
  { messages: [user()], addGenerationPrompt: true },
  { messages: [system(), user()], addGenerationPrompt: true },
  { messages: [user()], tools: [tool], addGenerationPrompt: true },
]

/** A template that cannot render a single user message. */
export const broken: TemplateRule = {
  id: 'broken',
  severity: 'error',
  finds: 'The template does not compile, fails on a single user message, or drops it.',
  why: 'It cannot be used at all.',
  fix: 'correct the template where the error points',
  example: {
    bad: '{% for m in messages %}{{ m.content + m.suffix }}{% endfor %}',
    good: '{% for m in messages %}{{ m.content }}{% endfor %}',
  },
  check(subject) {
    if (simplest.some((chat) => subject.shows(chat, 'qzUser'))) return []
    const refusal = subject.refusal(simplest[0]!)
    if (refusal) return [{ at: subject.spanOf(refusal), problem: `a single user message fails: ${refusal.problem}` }]
    const { text } = subject.write(simplest[0]!)!
    return [{ problem: 'a single user message is missing from its prompt', shown: { of: 'user; with generation prompt', text } }]
  },
}
