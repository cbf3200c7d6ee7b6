import { commonLength } from '../../training/written.ts'
import { inWords, type ProbeChat, system, tool, user } from '../chats.ts'
import { nodesIn } from '../code.ts'
import { around, markStart, quote } from '../quote.ts'
import type { Found, TemplateRule } from '../rule.ts'
import type { TemplateSubject } from '../template-subject.ts'

const chats: readonly ProbeChat[] = [
  { messages: [user()], isAsked: true },
  { messages: [system(), user()], isAsked: true },
  { messages: [system(), user()], tools: [tool], isAsked: true },
]
const noon = new Date(2024, 6, 26, 12, 0, 0)
const later = [
  { clock: new Date(2024, 6, 26, 12, 0, 7), every: 'second' },
  { clock: new Date(2024, 6, 26, 13, 20, 0), every: 'minute' },
  { clock: new Date(2025, 10, 3, 12, 0, 0), every: 'day' },
] as const

/** A prompt that depends on the time, or on chance. */
export const changingPrompt: TemplateRule = {
  id: 'changing-prompt',
  severity: 'warning',
  finds: 'The prompt of the same conversation is another one at another time, or by chance.',
  why: 'A date at the start of a prompt makes every cache stale at midnight, and results cannot be repeated to the byte.',
  fix: 'let the caller give the date (as `date_string` or in the system text), or leave it out',
  example: {
    bad: "Today is {{ strftime_now('%Y-%m-%d') }}.\n{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
    good: '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}',
  },
  check(subject) {
    const found = chats.flatMap((chat) => changeIn(subject, chat) ?? []).slice(0, 1)
    return found
  },
}

function changeIn(subject: TemplateSubject, chat: ProbeChat): Found | undefined {
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
      problem: `every ${every} the prompt is another one from character ${at} on: ${quote(first.text.slice(at, at + 20))} becomes ${quote(second.text.slice(at, at + 20))}, and of this prompt ${share} % stay the same`,
      shown: { of: inWords(chat), text: first.text, mark: around(first.text, at, 20) },
    }
  }
  const chance = [...nodesIn(subject.body)].find((node) => node.kind === 'filter' && node.name === 'random')
  return chance && { at: chance, problem: 'what `| random` chooses is another one in every prompt' }
}

function callOf(subject: TemplateSubject, name: string) {
  return [...nodesIn(subject.body)].find((node) => node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === name)
}
