import { isDigit, strip } from '@rolecall/core/internal/python'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { findAll, substitute } from '../../../python/regex/index.ts'
import { lastBoxed, removed, replacements } from '../evaluators/math/math-answer.ts'

// Postprocessors that only AISBench has.

/** The final answer as DAPO cleans it: what follows the last =, without units. */
export function minervaAnswer(answer: string): string {
  let text = answer.split('=').at(-1)!
  for (const [before, after] of replacements) if (before !== '\\le') text = text.replaceAll(before, () => after)
  for (const expression of removed) if (!['ft', '\n', '\r', '\f'].includes(expression)) text = text.replaceAll(expression, '')
  text = substitute(String.raw`(.*?)(\$)(.*?)(\$)(.*)`, (_, __, ___, formula) => `$${formula}$`, text)
  const inside = (_: string, __: string, content: string) => content
  for (const name of ['text', 'textbf', 'overline']) text = substitute(String.raw`(\\${name}\{)(.*?)(\})`, inside, text)
  text = substitute(String.raw`(\\boxed\{)(.*)(\})`, inside, text)
  text = substitute('(frac)([^{])(.)', (_, __, above, below) => `frac{${above}}{${below}}`, text)
  text = substitute('(sqrt)([^{])', (_, __, of) => `sqrt{${of}}`, text)
  text = text.replaceAll('$', '')
  const digits = text.replaceAll(',', '')
  return strip(isDigit(digits) ? digits : text)
}

export const dapo = definePostprocessor({
  names: ['dapo_math_postprocess'],
  does: 'The rest of the last line with "Answer:" in any case, without units and formula marks; [INVALID] where there is none. AISBench\'s.',
  example: { answer: 'So x=3.\nAnswer: $x = 34$', becomes: '34' },
  finds: true,
  process(text) {
    const found = findAll(String.raw`(?i)Answer\s*:\s*([^\n]+)`, text).at(-1)
    return found === undefined ? notFound('[INVALID]') : minervaAnswer(found)
  },
})

export const dapoBoxed = definePostprocessor({
  names: ['dapo_math_postprocess_v2'],
  does: "The content of the last box in the last 100 characters; empty where there is none. AISBench's.",
  example: { answer: 'Thus \\boxed{34}.', becomes: '34' },
  finds: true,
  process(text) {
    const boxed = lastBoxed([...text].slice(-100).join(''))
    return boxed?.startsWith('\\boxed{') ? boxed.slice('\\boxed{'.length, -1) : notFound('')
  },
})

export const lastLetter = definePostprocessor({
  names: ['get_a_or_b'],
  does: "The last character if it is A or B, else B: a judge's verdict in AISBench.",
  example: { answer: 'CORRECT, so A', becomes: 'A' },
  process: (text) => (text.endsWith('A') ? 'A' : 'B'),
})
