import { commonLength, ownText } from '@rolecall/core/internal/masks'
import { assistant, type ProbeChat, thinking, tool, user } from '../probe-chats.ts'
import { around, markStart, quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { codeAt, type TemplateSubject } from '../template-subject.ts'

const chatml = (asks: string) =>
  `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}${asks}{% endif %}`

/** Forms of an answer; one that starts with the generation prompt is enough. */
const answers = [assistant(), thinking('qzAnswer', 'qzThought'), assistant('<think>\nqzThought\n</think>\n\nqzAnswer')]

/** A generation prompt that differs from the start of finished turns. */
export const generationPrompt: TemplateRule = {
  id: 'generation-prompt',
  severity: 'warning',
  finds: "The generation prompt differs from the start of the assistant's turn, with or without reasoning.",
  why: 'The model never saw this prompt in earlier turns or in training, and the prefix cache is lost here in every turn.',
  fix: "write the same text before the assistant's message as for `add_generation_prompt`",
  example: { bad: chatml('<|im_start|>bot\n'), good: chatml('<|im_start|>assistant\n') },
  check(subject) {
    const prompt = subject.write({ messages: [user()], addGenerationPrompt: true })
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
        problem: `the generation prompt has ${quote(prompt.text.slice(at, at + 40))} where the finished turn has ${quote(first.text.slice(at, at + 40))}`,
        shown: { of: 'user; with generation prompt', text: prompt.text, mark: around(prompt.text, at) },
      },
    ]
  },
}

/** A turn header that the model must write itself. */
export const noGenerationPrompt: TemplateRule = {
  id: 'no-generation-prompt',
  severity: 'warning',
  finds: '`add_generation_prompt` has no effect, and the prompt ends before the header of the assistant’s turn.',
  why: "The model must write the header of its own turn, and may continue the user's text instead.",
  fix: "write the header of the assistant's turn if `add_generation_prompt` is true",
  example: { bad: chatml(''), good: chatml('<|im_start|>assistant\n') },
  check(subject) {
    return [undefined, [tool]].flatMap((tools) => headerMissing(subject, tools ? { tools } : {}) ?? []).slice(0, 1)
  },
}

function headerMissing(subject: TemplateSubject, more: Partial<ProbeChat>): RuleMatch | undefined {
  const at = (messages: ProbeChat['messages'], addGenerationPrompt: boolean) => subject.write({ ...more, messages, addGenerationPrompt })
  const [prompt, silent, finished] = [at([user()], true), at([user()], false), at([user(), assistant()], false)]
  if (!prompt || !silent || !finished || prompt.text !== silent.text || !finished.text.startsWith(prompt.text)) return undefined
  const own = ownText(finished, 1)
  const header = own && finished.text.slice(prompt.text.length, own.start)
  if (!header || !/assistant|model|bot|gpt/i.test(header)) return undefined
  return {
    at: codeAt(finished, prompt.text.length),
    problem: `the prompt ends before ${quote(header)}, which the model must write itself`,
    shown: { of: 'user; with generation prompt', text: prompt.text },
  }
}
