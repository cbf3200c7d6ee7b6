import { assistant, type ProbeChat, system, tool, user } from '../chats.ts'
import { quote } from '../quote.ts'
import type { Found, TemplateRule } from '../rule.ts'
import { codeAt } from '../template-subject.ts'

const chats: readonly ProbeChat[] = [
  { messages: [system(), user(), assistant(), user('qzAgain')], isAsked: true },
  { messages: [user(), assistant()], isAsked: true },
  { messages: [user()], tools: [tool], isAsked: true },
]
const turns = (mark: string) => `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}${mark}\n{% endfor %}`

/** A marker that the tokenizer does not know. */
export const markerNotToken: TemplateRule = {
  id: 'marker-not-token',
  severity: 'warning',
  finds: 'The template writes a marker such as `<|im_start|>` that is not a special token of the tokenizer.',
  why: 'It is cut into pieces of text that the model never saw as a marker: most often a template and a tokenizer of two different models.',
  fix: "take the template that belongs to the tokenizer, or add the marker to the tokenizer's tokens",
  example: { bad: turns('<|eot_id|>'), good: turns('<|im_end|>'), specials: ['<|im_start|>', '<|im_end|>'] },
  check(subject) {
    const { specials } = subject.facts
    if (specials === undefined || specials.length === 0) return []
    const known = new Set([...specials, ...Object.values(subject.tokens)])
    const found = new Map<string, Found>()
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
