import { conditionAround } from '../code.ts'
import { type Rewrite, rewriteIn } from '../growth.ts'
import { growingChats } from '../growth-chats.ts'
import { around, markStart, quote } from '../quote.ts'
import type { Found, TemplateRule } from '../rule.ts'
import { codeAt, type TemplateSubject } from '../template-subject.ts'

/** Adding a turn rewrites earlier text. */
export const prefixCache: TemplateRule = {
  id: 'prefix-cache',
  severity: 'warning',
  finds: 'A turn that is added changes text that was sent before.',
  why: 'A server keeps what it computed for a prompt only as far as the next prompt begins the same. Behind the first changed character everything is computed again, and ids that were sampled cannot be kept for training.',
  fix: 'write earlier turns as they were written when they were the last ones; if the model was trained so, keep it and know the cost',
  example: {
    bad: '{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
    good: '{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  },
  check(subject) {
    const found = growingChats.flatMap((chat) => rewriteIn(subject, chat) ?? [])
    // One piece of code shows in several conversations: it is told once, with the first of them and what else it does.
    const byCode = new Map<string, { first: Found; changes: Set<string> }>()
    for (const rewrite of found) {
      const one = told(subject, rewrite)
      const known = byCode.get(String(one.at?.start))
      if (known) known.changes.add(changeOf(rewrite))
      else byCode.set(String(one.at?.start), { first: one, changes: new Set([changeOf(rewrite)]) })
    }
    return [...byCode.values()].map(({ first, changes: [_, ...others] }) =>
      others.length === 0 ? first : { ...first, problem: `${first.problem}. By the same code ${others.join(', and ')}` },
    )
  },
}

function told(subject: TemplateSubject, rewrite: Rewrite): Found {
  const { chat, shorter, longer } = rewrite
  const at = markStart(longer.text, markStart(shorter.text, rewrite.at))
  // What is no longer written was written by this code; where only data goes, what is written in its place tells.
  const span = writerAt(subject, rewrite)
  const condition = span && conditionAround(subject.body, span)
  const under = condition
    ? `, under ${condition.isNegated ? 'the contrary of ' : ''}\`${oneLine(subject.source.slice(condition.start, condition.end))}\``
    : ''
  const [before, now] = [shorter, longer].map(({ text }) => quote(text.slice(at, at + 40)))
  return {
    at: span,
    problem: `${changeOf(rewrite)}: from character ${at} on, ${before} becomes ${now}${under}`,
    shown: { of: `${chat.name}, ${rewrite.to} messages`, text: longer.text, mark: around(longer.text, at) },
  }
}

function writerAt(subject: TemplateSubject, { shorter, longer, at }: Rewrite) {
  const candidates = [shorter, longer].flatMap((written) => codeAt(written, at) ?? [])
  return candidates.find((span) => conditionAround(subject.body, span) !== undefined) ?? candidates[0]
}

const words: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^qzThought/, 'thoughts of earlier turns'],
  [/^qzSystem/, 'the system text'],
  [/^qz(?:Tool|Description|Parameter|Key)/, 'the description of tools'],
  [/^qz(?:Value|Said|Answer)/, 'what the model said'],
  [/^qzResult/, 'the result of a tool'],
  [/^qzUser/, 'what the user said'],
]

/** What happened to the text, by the words that are no longer where they were. */
function changeOf({ shorter, longer, at }: Rewrite): string {
  const inShorter = [...shorter.text.matchAll(/qz[A-Za-z0-9]+/g)].filter(({ 0: word, index }) => index + word.length > at)
  for (const [pattern, what] of words) {
    const gone = inShorter.find(([word]) => pattern.test(word) && count(longer.text, word) < count(shorter.text, word))
    if (gone) return `${what} ${what.startsWith('thoughts') ? 'are' : 'is'} left out once the chat goes on`
  }
  const [first] = inShorter
  for (const [pattern, what] of words) {
    const moved = inShorter.find(([word]) => pattern.test(word) && longer.text.indexOf(word) !== shorter.text.indexOf(word))
    if (moved && (/^qz(?:System|Tool|Description)/.test(moved[0]) || moved === first) && isReordered(shorter.text, longer.text, moved[0]))
      return `${what} ${what.startsWith('thoughts') ? 'move' : 'moves'} once the chat goes on`
  }
  return 'the template writes other text of its own once the chat goes on'
}

/** Whether something else of the conversation now stands before a word. */
function isReordered(shorter: string, longer: string, word: string): boolean {
  const before = (text: string) => new Set(text.slice(0, text.indexOf(word)).match(/qz[A-Za-z0-9]+/g) ?? [])
  const earlier = before(shorter)
  return [...before(longer)].some((one) => !earlier.has(one))
}

function count(text: string, word: string): number {
  return text.split(word).length - 1
}

function oneLine(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
