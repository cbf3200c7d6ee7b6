import { describeChat, type ProbeChat, system, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { codeAt, type TemplateSubject, type WrittenChat } from '../template-subject.ts'

const loop = (before: string) => `${before}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}`
const lone: ProbeChat = { messages: [user()], addGenerationPrompt: true }
const withSystem: ProbeChat = { messages: [system(), user()], addGenerationPrompt: true }

/** Prose: several words in a row, beside markers. */
const prose = /(?:\p{L}[\p{L}\p{N}'’-]*[,;:]?[ \n]+){3,}\p{L}[\p{L}\p{N}'’-]*|\p{Script=Han}{6,}/u

/** Instructions hard-coded in the template. */
export const hiddenInstructions: TemplateRule = {
  id: 'hidden-instructions',
  severity: 'note',
  finds: 'The template adds its own instructions to a chat without tools.',
  why: 'The prompt contains text from no message. It changes answers, costs tokens in every prompt, makes models incomparable, and may contradict your system message.',
  fix: 'send your own system message, or remove the instructions from the template',
  example: { bad: loop('You are a very helpful assistant.\n'), good: loop('') },
  check(subject) {
    const stays = instructionIn(subject, withSystem)
    if (stays && subject.shows(withSystem, 'qzSystem'))
      return [{ ...stays, severity: 'warning', problem: `in addition to your system message the template writes ${stays.problem}` }]
    const alone = instructionIn(subject, lone)
    return alone ? [{ ...alone, problem: `without a system message the template writes ${alone.problem}` }] : []
  },
}

/** An empty system message that is ignored. */
export const emptySystem: TemplateRule = {
  id: 'empty-system',
  severity: 'note',
  finds: "An empty system message is treated as none and replaced by the template's own instructions.",
  why: 'An empty system message asks for no instructions, but cannot switch off those of the template.',
  fix: "test whether there is a system message, not whether its content is truthy: `messages[0].role == 'system'`",
  example: {
    bad: "{% if messages[0].content and messages[0].role == 'system' %}{{ messages[0].content }}{% else %}You are a very helpful assistant.{% endif %}{% for m in messages if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
    good: "{% if messages[0].role == 'system' %}{{ messages[0].content }}{% else %}You are a very helpful assistant.{% endif %}{% for m in messages if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
  },
  check(subject) {
    const [own, withText] = [instructionIn(subject, lone), instructionIn(subject, withSystem)]
    if (!own || withText) return []
    const empty = instructionIn(subject, { messages: [system(''), user()], addGenerationPrompt: true })
    return empty ? [{ ...empty, problem: `with an empty system message the template writes ${empty.problem}` }] : []
  },
}

function instructionIn(subject: TemplateSubject, chat: ProbeChat): RuleMatch | undefined {
  const written = subject.write(chat)
  const found = written && longest(written)
  if (!found) return undefined
  const { text, at } = found
  const short = text.length > 80 ? `${text.slice(0, 79)}…` : text
  return {
    at: codeAt(written, at),
    problem: quote(short),
    shown: { of: describeChat(chat), text: written.text, mark: [at, at + text.length] },
  }
}

/** The longest stretch of the template's own text that reads as prose. */
function longest({ pieces }: WrittenChat): { text: string; at: number } | undefined {
  let at = 0
  let best: { text: string; at: number } | undefined
  for (const { text, source } of runs(pieces)) {
    const words = source ? prose.exec(text) : null
    const said = words ? text.slice(words.index).trimEnd() : ''
    if (words && said.length > (best?.text.length ?? 0)) best = { text: said, at: at + words.index }
    at += text.length
  }
  return best
}

/** Joins adjacent pieces written by the template. */
function runs(pieces: WrittenChat['pieces']): { text: string; source: boolean }[] {
  const joined: { text: string; source: boolean }[] = []
  for (const { text, source } of pieces) {
    const isOwn = source.by === 'format'
    const last = joined.at(-1)
    if (last?.source === isOwn) last.text += text
    else joined.push({ text, source: isOwn })
  }
  return joined
}
