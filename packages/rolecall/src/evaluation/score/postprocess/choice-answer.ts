import * as z from '@rolecall/core/internal/schema'
import { plainAnswer } from './answer-text.ts'
import { readChoice } from './choice-statements.ts'
import { notFound } from './not-found.ts'
import { OptionTexts } from './option-texts.ts'
import { definePostprocessor } from './postprocessor.ts'

/** Not in OpenCompass, whose `first_option` takes the first letter that it finds: this one reports if there is no answer. */
export const choiceAnswer = definePostprocessor({
  names: ['choice_answer'],
  does: 'The option that the answer announces last, in English or Chinese, in \\boxed{…}, as a label (`**B)**`, "B. 0.01"), or by its text where `choices` are known; no letter in prose, none of several, none that is only denied or supposed. An answer that was cut has one only if it announced it.',
  example: { options: { options: 'ABCD' }, answer: 'A? No.\n### Answer\n**B)** 0.01 C', becomes: 'B' },
  options: z.strictObject({
    options: z
      .string()
      .check(z.regex(/^[A-Z]+$/, 'expected capital letters only'), z.describe('The options, one capital letter each: "ABCD".')),
    choices: z
      .optional(z.union([z.array(z.string()), z.string()]))
      .check(
        z.describe(
          'Where the row has the texts of the options: their columns in order, or one column that lists them, as a list or as "(A) …".',
        ),
      ),
  }),
  finds: true,
  process: (text, { options, choices }, { row, isCut }) =>
    readChoice({ text, said: plainAnswer(text), options, texts: new OptionTexts(row, choices, options), isCut: isCut ?? false }) ??
    notFound(),
})
