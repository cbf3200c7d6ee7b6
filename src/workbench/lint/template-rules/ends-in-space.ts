import { type ProbeChat, user } from '../chats.ts'
import { quote } from '../quote.ts'
import type { TemplateRule } from '../rule.ts'
import { codeAt } from '../template-subject.ts'

const asked: ProbeChat = { messages: [user()], isAsked: true }
const turns = (end: string) =>
  `{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:${end}{% endif %}`

/** A generation prompt that ends in a space. */
export const promptEndsInSpace: TemplateRule = {
  id: 'prompt-ends-in-space',
  severity: 'note',
  finds: 'The prompt ends with a space, where the model goes on.',
  why: 'Most vocabularies have words with the space before them. After a space the model must begin with a token that it rarely saw there. It is right where the model was trained so.',
  fix: "end the generation prompt without the space, and write it before the assistant's words",
  example: { bad: turns(' '), good: turns('') },
  check(subject) {
    const written = subject.write(asked)
    if (!written || !/[^\n] $/.test(written.text)) return []
    const { text } = written
    return [
      {
        at: codeAt(written, text.length - 1),
        problem: `the prompt ends with ${quote(text.slice(-20))}`,
        shown: { of: 'user; the model is asked', text, mark: [text.length - 1, text.length] },
      },
    ]
  },
}
