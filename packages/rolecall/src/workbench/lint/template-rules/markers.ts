import { assistant, type ProbeChat, system, tool, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { codeAt } from '../template-subject.ts'

const chats: readonly ProbeChat[] = [
  { messages: [system(), user(), assistant(), user('qzAgain')], addGenerationPrompt: true },
  { messages: [user(), assistant()], addGenerationPrompt: true },
  { messages: [user()], tools: [tool], addGenerationPrompt: true },
]
const turns = (mark: string) => `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}${mark}\n{% endfor %}`

/** A marker that is not in the vocabulary. */
export const markerNotToken: TemplateRule = {
  id: 'marker-not-token',
  severity: 'warning',
  finds: 'The template writes a marker such as `<|im_start|>` that is not a special token of the tokenizer.',
  why: 'It is split into ordinary tokens, which the model never saw as a marker: usually the template and tokenizer belong to different models.',
  fix: 'use the template that belongs to the tokenizer, or add the marker to the tokenizer',
  example: { bad: turns('<|eot_id|>'), good: turns('<|im_end|>'), specials: ['<|im_start|>', '<|im_end|>'] },
  check(subject) {
    const { specials } = subject.facts
    if (specials === undefined || specials.length === 0) return []
    const known = new Set([...specials, ...Object.values(subject.tokens)])
    const found = new Map<string, RuleMatch>()
    for (const chat of chats) {
      const written = subject.write(chat)
      for (const { 0: marker, index } of written?.text.matchAll(/<[|｜][^<>|｜\s]+[|｜]>/g) ?? []) {
        if (known.has(marker) || found.has(marker)) continue
        found.set(marker, {
          at: codeAt(written!, index),
          problem: `${quote(marker)} is not a token of the tokenizer`,
          shown: { of: 'a chat', text: written!.text, mark: [index, index + marker.length] },
        })
      }
    }
    return [...found.values()]
  },
}
