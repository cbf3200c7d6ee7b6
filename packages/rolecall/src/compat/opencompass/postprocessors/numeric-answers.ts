import { PromptError } from '@rolecall/core/internal/errors'
import { isDigit, strip, stripEnd } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { notFound } from '../../../evaluation/score/postprocess/not-found.ts'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'
import { findAll, search, substitute } from '../../../python/regex/index.ts'

export const gsm8k = definePostprocessor({
  names: ['gsm8k', 'gsm8k_postprocess'],
  does: 'The last number before a further "Question:"; "NULL" where there is none.',
  example: { answer: 'He has 3, then 1005.', becomes: '1005' },
  finds: true,
  process: (text) => findAll(String.raw`\-?\d+\.\d+|\-?\d+`, text.split('Question:')[0]!).at(-1) ?? notFound('NULL'),
})

export const gsm8kDataset = definePostprocessor({
  names: ['gsm8k_dataset', 'gsm8k_dataset_postprocess'],
  does: 'What follows "#### " in a gold answer of GSM8K, without commas.',
  example: { answer: 'He has 2+3.\n#### 1,005', becomes: '1005' },
  process(text) {
    const answer = text.split('#### ')[1]
    if (answer !== undefined) return answer.replaceAll(',', '')
    throw new PromptError('no-answer', { where: 'the gold answer', problem: 'it has no "#### "', fix: 'use this for rows of GSM8K' })
  },
})

export const gsm100 = definePostprocessor({
  names: ['gsm100', 'gsm100_postprocess'],
  does: 'The digits of the first word with a digit after "The answer is".',
  example: { answer: 'The answer is 1,234 apples.', becomes: '1234' },
  finds: true,
  process(text) {
    const words = (text.split('The answer is')[1] ?? '').split(' ')
    const found = words.find((word) => [...word].some(isDigit)) ?? ''
    return [...found].filter(isDigit).join('') || notFound()
  },
})

export const gsm100Dataset = definePostprocessor({
  names: ['gsm100_dataset', 'gsm100_dataset_postprocess'],
  does: 'The gold answer without commas.',
  example: { answer: '1,234', becomes: '1234' },
  process: (text) => text.replaceAll(',', ''),
})

export const scibench = definePostprocessor({
  names: ['scibench', 'scibench_postprocess'],
  does: 'What stands in \\boxed{…}, else the last number.',
  example: { answer: 'so it is \\boxed{3.2}', becomes: '3.2' },
  finds: true,
  process(text) {
    const parts = text.split('answer is')
    const answer = parts.length === 1 ? text : strip(parts[1]!)
    const boxed = search(String.raw`\\boxed\{(.+?)\}`, answer)
    if (boxed) return boxed[1]!
    const output = substitute(String.raw`(\d),(\d)`, (_, left, right) => `${left}${right}`, answer)
    return findAll(String.raw`-?\d*\.?\d+|\d+`, output).at(-1) ?? notFound(answer)
  },
})

/** How MGSM's prompts ask for the answer, by language. */
const answerWords = {
  en: 'Answer',
  bn: 'উত্তর',
  de: 'Antwort',
  es: 'Respuesta',
  fr: 'Réponse',
  ja: '答え',
  ru: 'Ответ',
  sw: 'Jibu',
  te: 'సమాధానం',
  th: 'คำตอบ',
  zh: '答案',
} as const
const languages = Object.keys(answerWords) as (keyof typeof answerWords)[]

export const mgsm = definePostprocessor({
  names: ['mgsm_postprocess', 'mgsm'],
  does: 'The last number after the word for "Answer" in this language.',
  example: { options: { lang: 'en' }, answer: 'Answer: 12', becomes: '12' },
  options: z.strictObject({ lang: z.enum(languages).describe('The language of the row.') }),
  finds: true,
  process(text, { lang }) {
    const word = answerWords[lang]
    if (!text.includes(word)) return notFound()
    const answer = strip(text.split(word).at(-1)!).replaceAll(',', '')
    const found = findAll(String.raw`\d+\.?\d*`, answer).at(-1)
    return found === undefined ? notFound() : stripEnd(found, '.')
  },
})
