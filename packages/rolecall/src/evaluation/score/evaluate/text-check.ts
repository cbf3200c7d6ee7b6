import { PromptError } from '@rolecall/core/internal/errors'
import { LinearPattern } from '@rolecall/core/internal/pattern'
import { pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { defineEvaluator, verdict } from './evaluator.ts'
import { acceptedAnswers, columnOf, wrongGold } from './given.ts'
import { shareOf } from './shares.ts'

/** How a reply is compared with a text; every comparison may be inverted. */
export const textComparisons = {
  exact: (reply: string, text: string) => reply.trim() === text.trim(),
  iexact: (reply: string, text: string) => folded(reply.trim()) === folded(text.trim()),
  contains: (reply: string, text: string) => reply.includes(text),
  icontains: (reply: string, text: string) => folded(reply).includes(folded(text)),
  'starts-with': (reply: string, text: string) => reply.trimStart().startsWith(text),
  'ends-with': (reply: string, text: string) => reply.trimEnd().endsWith(text),
  regex: (reply: string, pattern: string) => patternOf(pattern).test(reply),
} as const satisfies Record<string, (reply: string, text: string) => boolean>

export type TextComparison = keyof typeof textComparisons
export const textComparisonNames = Object.keys(textComparisons) as TextComparison[]

/** Compares texts in plain ways; the reply is right if it fulfils one of several expected texts. */
export const textCheck = defineEvaluator({
  names: ['TextEvaluator'],
  does: 'Right when the reply is (`exact`), contains (`contains`), starts or ends with the gold answer, or one of several, or matches it as a regular expression (in linear time). `iexact` and `icontains` ignore case.',
  example: { options: { check: 'contains' }, answers: ['It is Paris.', 'It is Rome.'], gold: ['Paris', 'Oslo'], figures: { accuracy: 50 } },
  options: z.strictObject({
    check: z.enum(textComparisonNames).check(z.describe('How texts are compared.')),
    value: z
      .optional(z.union([z.string(), z.array(z.string()).check(z.minLength(1))]))
      .check(z.describe('The expected text of every row, or several of which one is enough; by default the gold answer.')),
    column: z.optional(z.string()).check(z.describe('The column with the expected text, in place of the gold answer.')),
    not: z._default(z.boolean(), false).check(z.describe('Right when the comparison fails.')),
  }),
  with({ check, value, column, not }) {
    const compare = textComparisons[check]
    if (check === 'regex') for (const pattern of [value ?? []].flat()) patternOf(pattern)
    return {
      ...shareOf('accuracy'),
      needsReference: value === undefined && column === undefined,
      // What a pattern matches is not known from the pattern; a forbidden text is no right reply.
      ...(check === 'regex' || not || value !== undefined || column !== undefined ? { goldIsNoReply: true as const } : {}),
      judge({ prediction, reference, row }) {
        const expected = value === undefined ? acceptedAnswers(column === undefined ? reference : columnOf(row, column)) : [value].flat()
        if (expected.includes('') && !check.endsWith('exact'))
          throw wrongGold('it is empty, so every reply fulfils it', 'leave the row out')
        const reply = pyStr(prediction)
        const isMet = expected.some((text) => compare(reply, text))
        return verdict(isMet !== not, { pred: prediction, answer: expected.length === 1 ? expected[0]! : expected })
      },
    }
  },
})

function folded(text: string): string {
  return text.toLowerCase()
}

/** More patterns than this come from a column; they are compiled again. */
const mostPatterns = 1_000
const patterns = new Map<string, LinearPattern>()

/** A regular expression in linear time, or an error that says where it is written. */
export function patternOf(source: string, where = 'regex'): LinearPattern {
  const known = patterns.get(source)
  if (known) return known
  try {
    const pattern = new LinearPattern(source)
    if (patterns.size >= mostPatterns) patterns.clear()
    patterns.set(source, pattern)
    return pattern
  } catch (error) {
    throw new PromptError('bad-pattern', {
      where,
      problem: `${JSON.stringify(source.slice(0, 200))} cannot be used: ${(error as Error).message}`,
      fix: 'write a regular expression without look-around and back-references',
    })
  }
}
