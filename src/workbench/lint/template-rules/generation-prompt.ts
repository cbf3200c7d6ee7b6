import { commonLength, ownText } from '../../training/written.ts'
import { assistant, type ProbeChat, thinking, tool, user } from '../chats.ts'
import { around, markStart, quote } from '../quote.ts'
import type { Found, TemplateRule } from '../rule.ts'
import { codeAt, type TemplateSubject } from '../template-subject.ts'

const chatml = (asks: string) =>
  `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}${asks}{% endif %}`

/** Ways in which an answer may be given: one that begins as it is asked for is enough. */
const answers = [assistant(), thinking('qzAnswer', 'qzThought'), assistant('<think>\nqzThought\n</think>\n\nqzAnswer')]

/** The prompt asks for a turn in another way than the template writes one. */
export const generationPrompt: TemplateRule = {
  id: 'generation-prompt',
  severity: 'warning',
  finds: "The generation prompt is not how the assistant's turn begins, with or without thoughts.",
  why: 'The model is asked in a way that it never saw in earlier turns or in training; the cache is lost at this place in every turn.',
  fix: "write the same text before the assistant's words as `add_generation_prompt` writes",
  example: { bad: chatml('<|im_start|>bot\n'), good: chatml('<|im_start|>assistant\n') },
  check(subject) {
    const prompt = subject.write({ messages: [user()], isAsked: true })
    if (prompt === undefined) return []
    const finished = answers.flatMap((answer) => {
      const written = subject.write({ messages: [user(), answer] })
      return written && ownText(written, 1) !== undefined ? [written] : []
    })
    const [first] = finished
    if (first === undefined || finished.some(({ text }) => text.startsWith(prompt.text))) return []
    const at = markStart(prompt.text, commonLength(first.text, prompt.text))
    return [
      {
        at: codeAt(prompt, at),
        problem: `the model is asked with ${quote(prompt.text.slice(at, at + 40))}, and the finished turn has ${quote(first.text.slice(at, at + 40))} there`,
        shown: { of: 'user; the model is asked', text: prompt.text, mark: around(prompt.text, at) },
      },
    ]
  },
}

/** A header that the model must write itself. */
export const noGenerationPrompt: TemplateRule = {
  id: 'no-generation-prompt',
  severity: 'warning',
  finds: '`add_generation_prompt` changes nothing, and the prompt ends before the header of the turn.',
  why: 'The model must write the header of its own turn, and may as well go on with the words of the user.',
  fix: "write the header of the assistant's turn where `add_generation_prompt` is true",
  example: { bad: chatml(''), good: chatml('<|im_start|>assistant\n') },
  check(subject) {
    return [undefined, [tool]].flatMap((tools) => headerMissing(subject, tools ? { tools } : {}) ?? []).slice(0, 1)
  },
}

function headerMissing(subject: TemplateSubject, more: Partial<ProbeChat>): Found | undefined {
  const at = (messages: ProbeChat['messages'], isAsked: boolean) => subject.write({ ...more, messages, isAsked })
  const [prompt, silent, finished] = [at([user()], true), at([user()], false), at([user(), assistant()], false)]
  if (!prompt || !silent || !finished || prompt.text !== silent.text || !finished.text.startsWith(prompt.text)) return undefined
  const own = ownText(finished, 1)
  const header = own && finished.text.slice(prompt.text.length, own.start)
  if (!header || !/assistant|model|bot|gpt/i.test(header)) return undefined
  return {
    at: codeAt(finished, prompt.text.length),
    problem: `the prompt ends before ${quote(header)}, which the model must write itself`,
    shown: { of: 'user; the model is asked', text: prompt.text },
  }
}
