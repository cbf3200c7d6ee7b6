import { floatOf, pyFloat } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { findAll, guardedPattern, search } from '../../../python/regex/index.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

export const firstNumber = definePostprocessor({
  names: ['first_number_postprocess', 'first_number'],
  does: 'The first number, as a number; nothing where there is none.',
  example: { answer: 'About 3.5 or 4', becomes: 3.5 },
  finds: true,
  process(text) {
    const found = search(String.raw`(-?\d*\.?\d+)`, text)
    return found ? pyFloat(floatOf(found[1])!) : notFound(null)
  },
})

/** Not in OpenCompass, whose `gsm8k` takes 005 from "1,005". */
export const lastNumber = definePostprocessor({
  names: ['last_number'],
  does: 'The last number before a further "Question:", without the commas between its thousands; "NULL" where there is none.',
  example: { answer: 'He has 3, then 1,005.', becomes: '1005' },
  finds: true,
  process(text) {
    const numbers = findAll(String.raw`-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?`, text.split('Question:')[0]!)
    return numbers.at(-1)?.replaceAll(',', '') ?? notFound('NULL')
  },
})

/** Not in OpenCompass: models put JSON and short answers into code blocks. */
export const fenced = definePostprocessor({
  names: ['fenced'],
  does: 'The content of the last code block, without its fence, or the whole answer where there is none.',
  example: { answer: 'Here it is:\n```json\n{"a": 1}\n```', becomes: '{"a": 1}' },
  process: (text) => [...text.matchAll(/^```[^\n`]*\n([\s\S]*?)\n?^```[ \t]*$/gm)].at(-1)?.[1] ?? text,
})

/** Not in OpenCompass: a regular expression without any further rule. */
export const regex = definePostprocessor({
  names: ['regex'],
  does: 'What a regular expression matches: its first group if it has one, the first or the last match.',
  example: { options: { pattern: 'x=(\\d)', take: 'last' }, answer: 'x=1, x=2', becomes: '2' },
  options: z.strictObject({
    pattern: z.string().check(z.describe("A regular expression of Python's.")),
    take: z._default(z.enum(['first', 'last']), 'first').check(z.describe('Which match is the answer.')),
    otherwise: z
      .optional(z.string())
      .check(z.describe('Compared instead if nothing matches (the row counts as not found); by default the whole text.')),
  }),
  finds: true,
  process(text, { pattern, take, otherwise }) {
    const found = take === 'first' ? guardedPattern(pattern).first(text) : guardedPattern(pattern).all(text).at(-1)
    if (!found) return notFound(otherwise ?? text)
    return found.groups.length > 0 ? (found.groups[0] ?? '') : found.text
  },
})
