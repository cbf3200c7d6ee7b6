import { type ProbeChat, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { TemplateRule } from '../rule.ts'
import { codeAt } from '../template-subject.ts'

const asked: ProbeChat = { messages: [user()], addGenerationPrompt: true }
const turns = (end: string) =>
  `{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:${end}{% endif %}`

/** A generation prompt that ends with a space. */
export const promptEndsInSpace: TemplateRule = {
  id: 'prompt-ends-in-space',
  severity: 'note',
  finds: 'The generation prompt ends with a space.',
  why: 'In most vocabularies, tokens include the space before a word. After a trailing space the model must start with a token that is rare there. Correct only if the model was trained this way.',
  fix: "remove the space from the generation prompt, and write it before the assistant's text",
  example: { bad: turns(' '), good: turns('') },
  check(subject) {
    const written = subject.write(asked)
    if (!written || !/[^\n] $/.test(written.text)) return []
    const { text } = written
    return [
      {
        at: codeAt(written, text.length - 1),
        problem: `the prompt ends with ${quote(text.slice(-20))}`,
        shown: { of: 'user; with generation prompt', text, mark: [text.length - 1, text.length] },
      },
    ]
  },
}
