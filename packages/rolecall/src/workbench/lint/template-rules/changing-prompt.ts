import { commonLength } from '@rolecall/core/internal/masks'
import { describeChat, type ProbeChat, system, tool, user } from '../probe-chats.ts'
import { around, markStart, quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { nodesIn } from '../template-code.ts'
import type { TemplateSubject } from '../template-subject.ts'

const chats: readonly ProbeChat[] = [
  { messages: [user()], addGenerationPrompt: true },
  { messages: [system(), user()], addGenerationPrompt: true },
  { messages: [system(), user()], tools: [tool], addGenerationPrompt: true },
]
const noon = new Date(2024, 6, 26, 12, 0, 0)
const later = [
  { clock: new Date(2024, 6, 26, 12, 0, 7), every: 'second' },
  { clock: new Date(2024, 6, 26, 13, 20, 0), every: 'minute' },
  { clock: new Date(2025, 10, 3, 12, 0, 0), every: 'day' },
] as const

/** A prompt that depends on time or randomness. */
export const changingPrompt: TemplateRule = {
  id: 'changing-prompt',
  severity: 'warning',
  finds: 'The prompt of the same conversation varies with time or randomly.',
  why: 'A date at the start of a prompt invalidates every prefix cache at midnight, and results are not reproducible.',
  fix: 'let the caller pass the date (as `date_string` or in the system message), or remove it',
  example: {
    bad: "Today is {{ strftime_now('%Y-%m-%d') }}.\n{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
    good: '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}',
  },
  check(subject) {
    const found = chats.flatMap((chat) => changeIn(subject, chat) ?? []).slice(0, 1)
    return found
  },
}

function changeIn(subject: TemplateSubject, chat: ProbeChat): RuleMatch | undefined {
  const first = subject.write({ ...chat, clock: noon })
  if (first === undefined) return undefined
  for (const { clock, every } of later) {
    const second = subject.write({ ...chat, clock })
    if (second === undefined || second.text === first.text) continue
    const at = markStart(first.text, commonLength(first.text, second.text))
    const share = Math.round((100 * at) / Math.max(1, first.text.length))
    return {
      at: callOf(subject, 'strftime_now'),
      severity: every === 'day' ? 'note' : 'warning',
      problem: `the prompt changes every ${every} from character ${at} on: ${quote(first.text.slice(at, at + 20))} becomes ${quote(second.text.slice(at, at + 20))}; only the first ${share} % of this prompt stay the same`,
      shown: { of: describeChat(chat), text: first.text, mark: around(first.text, at, 20) },
    }
  }
  const chance = [...nodesIn(subject.body)].find((node) => node.kind === 'filter' && node.name === 'random')
  return chance && { at: chance, problem: '`| random` makes every prompt different' }
}

function callOf(subject: TemplateSubject, name: string) {
  return [...nodesIn(subject.body)].find((node) => node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === name)
}
