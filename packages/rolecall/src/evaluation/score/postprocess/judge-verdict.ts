import * as z from '@rolecall/core/internal/schema'
import { escapePattern, search } from '../../../python/regex/index.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

export const judgeVerdict = definePostprocessor({
  names: ['generic_llmjudge_postprocess', 'llmjudge_letter'],
  does: 'A judge\'s verdict: the first of the two tags that occurs, else "unknown".',
  example: { answer: 'My verdict: B', becomes: 'B' },
  options: z.strictObject({
    true_tag: z._default(z.string(), 'A').check(z.describe('What the judge writes for a right answer.')),
    false_tag: z._default(z.string(), 'B').check(z.describe('What it writes for a wrong one.')),
  }),
  finds: true,
  process: (text, { true_tag: right, false_tag: wrong }) =>
    search(`${escapePattern(right)}|${escapePattern(wrong)}`, text)?.[0] ?? notFound('unknown'),
})
