import { type ProbeChat, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { TemplateRule } from '../rule.ts'
import { nodesIn } from '../template-code.ts'
import { codeAt } from '../template-subject.ts'

const asked: ProbeChat = { messages: [user()], addGenerationPrompt: true }
const chatml = '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}'
const tokens = { bos_token: '<s>', eos_token: '<|im_end|>' }

/** BOS twice: by the template and by the tokenizer, or twice by the template. */
export const bosTwice: TemplateRule = {
  id: 'bos-twice',
  severity: 'warning',
  finds: 'The prompt begins with two BOS tokens: the template writes one and the tokenizer adds one, or the template writes both.',
  why: 'Models are trained with one. A second one shifts every position and silently degrades answers.',
  fix: 'encode rendered prompts without special tokens (`add_special_tokens=False`), or remove BOS from the template',
  example: { bad: `{{ bos_token }}${chatml}`, good: chatml, tokens, addsBos: true },
  check(subject) {
    const bos = subject.tokens.bos_token
    const written = subject.write(asked)
    if (!bos || !written?.text.startsWith(bos)) return []
    const shown = { of: 'user; with generation prompt', text: written.text, mark: [0, bos.length] as const }
    const at = [...nodesIn(subject.body)].find((node) => node.kind === 'name' && node.name === 'bos_token') ?? codeAt(written, 0)
    if (written.text.startsWith(bos + bos))
      return [
        {
          at,
          severity: 'error',
          problem: `the template writes ${quote(bos)} twice at the start`,
          fix: 'write it once',
          shown: { ...shown, mark: [0, 2 * bos.length] },
        },
      ]
    if (subject.facts.addsBos !== true) return []
    return [
      {
        at,
        problem: `the template writes ${quote(bos)}, and the tokenizer adds it again when encoding with special tokens`,
        shown,
      },
    ]
  },
}

/** A BOS token that does not exist. */
export const bosNever: TemplateRule = {
  id: 'bos-never',
  severity: 'warning',
  finds: 'The template writes a BOS token that the tokenizer does not have.',
  why: 'It silently renders as nothing: the model sees a prompt without the token the template expects.',
  fix: "set `bos_token` in the tokenizer's config, or remove it from the template",
  example: { bad: `{{ bos_token }}${chatml}`, good: chatml, tokens: { eos_token: '<|im_end|>' } },
  check(subject) {
    if (subject.facts.tokens === undefined || Object.keys(subject.tokens).length === 0 || subject.tokens.bos_token) return []
    if (subject.facts.addsBos === true) return []
    const at = [...nodesIn(subject.body)].find((node) => node.kind === 'name' && node.name === 'bos_token')
    const written = subject.write(asked)
    if (at === undefined || written === undefined) return []
    // Render with a token to see whether the code is reached.
    const withToken = subject.write({ ...asked, kwargs: { bos_token: 'qzBos' } })
    if (!withToken?.text.startsWith('qzBos')) return []
    return [
      {
        at,
        problem: 'the template writes `bos_token`, but the tokenizer has none',
        shown: { of: 'user; with generation prompt', text: written.text },
      },
    ]
  },
}
