import { growingChats, type Rewrite, rewriteIn } from '../growth.ts'
import { around, markStart, quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { conditionAround } from '../template-code.ts'
import { codeAt, type TemplateSubject } from '../template-subject.ts'

/** Adding a turn rewrites earlier text. */
export const prefixCache: TemplateRule = {
  id: 'prefix-cache',
  severity: 'warning',
  finds: 'Adding a turn changes text that was already sent.',
  why: 'A prefix cache is valid only up to the first changed character. Everything after it is computed again, and sampled token ids cannot be kept for training.',
  fix: 'write earlier turns as they were written when they were the last ones; if the model was trained this way, accept the cost',
  example: {
    bad: '{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
    good: '{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  },
  check(subject) {
    const found = growingChats.flatMap((chat) => rewriteIn(subject, chat) ?? [])
    // Report code that affects several conversations once, with the first of them and its other effects.
    const byCode = new Map<string, { first: RuleMatch; changes: Set<string> }>()
    for (const rewrite of found) {
      const one = matchOf(subject, rewrite)
      const known = byCode.get(String(one.at?.start))
      if (known) known.changes.add(changeOf(rewrite))
      else byCode.set(String(one.at?.start), { first: one, changes: new Set([changeOf(rewrite)]) })
    }
    return [...byCode.values()].map(({ first, changes: [_, ...others] }) =>
      others.length === 0 ? first : { ...first, problem: `${first.problem}. By the same code, ${others.join(', and ')}` },
    )
  },
}

function matchOf(subject: TemplateSubject, rewrite: Rewrite): RuleMatch {
  const { chat, shorter, longer } = rewrite
  const at = markStart(longer.text, markStart(shorter.text, rewrite.at))
  // The code that wrote the removed text or, if only data was removed, the code that wrote its replacement.
  const span = writerAt(subject, rewrite)
  const condition = span && conditionAround(subject.body, span)
  const under = condition
    ? `, if ${condition.isNegated ? 'not ' : ''}\`${oneLine(subject.source.slice(condition.start, condition.end))}\``
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
  [/^qzThought/, 'the reasoning of earlier turns'],
  [/^qzSystem/, 'the system message'],
  [/^qz(?:Tool|Description|Parameter|Key)/, 'the list of tools'],
  [/^qz(?:Value|Said|Answer)/, "the model's text"],
  [/^qzResult/, 'the tool result'],
  [/^qzUser/, "the user's text"],
]

/** Describes the change by the words that are gone or moved. */
function changeOf({ shorter, longer, at }: Rewrite): string {
  const inShorter = [...shorter.text.matchAll(/qz[A-Za-z0-9]+/g)].filter(({ 0: word, index }) => index + word.length > at)
  for (const [pattern, what] of words) {
    const gone = inShorter.find(([word]) => pattern.test(word) && count(longer.text, word) < count(shorter.text, word))
    if (gone) return `${what} is dropped as the chat continues`
  }
  const [first] = inShorter
  for (const [pattern, what] of words) {
    const moved = inShorter.find(([word]) => pattern.test(word) && longer.text.indexOf(word) !== shorter.text.indexOf(word))
    if (moved && (/^qz(?:System|Tool|Description)/.test(moved[0]) || moved === first) && isReordered(shorter.text, longer.text, moved[0]))
      return `${what} moves as the chat continues`
  }
  return "the template's own text changes as the chat continues"
}

/** Whether another part of the conversation now precedes a word. */
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
