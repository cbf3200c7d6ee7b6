import { stripEnd } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { definePostprocessor } from '../../../evaluation/score/postprocess/postprocessor.ts'

export const needlebench = definePostprocessor({
  names: ['needlebench', 'needlebench_postprocess'],
  does: 'The answer as it is: NeedleBench looks for its needle in all of it.',
  example: { answer: 'It is in the park.', becomes: 'It is in the park.' },
  process: (text) => text,
})

export const needlebenchDataset = definePostprocessor({
  names: ['needlebench_dataset', 'needlebench_dataset_postprocess'],
  does: 'The gold answer as it is.',
  example: { answer: 'A needle*park', becomes: 'A needle*park' },
  process: (text) => text,
})

export const clbench = definePostprocessor({
  names: ['clbench_pred_postprocess'],
  does: 'The answer without white space at its end, cut off after `max_chars` characters.',
  example: { options: { max_chars: 5 }, answer: 'A long answer ', becomes: 'A lon' },
  options: z.strictObject({
    max_chars: z.number().int().nullable().optional().describe('How many characters the judge sees; all of them by default.'),
  }),
  process(text, { max_chars: most }) {
    const kept = stripEnd(text)
    return most && most > 0 ? [...kept].slice(0, most).join('') : kept
  },
})

const language = { lang_code: z.string().describe('The language of the rows, as the evaluator knows it: "en", "zh" …') }

/** P-MMEval's postprocessors pass the language to the evaluator, which parses the answer. */
const withLanguage = (name: string, benchmark: string) =>
  definePostprocessor({
    names: [`pmmeval_${name}`, `pmmeval_${name}_postprocess`],
    does: `The answer and its language, which the evaluator of ${benchmark} needs.`,
    example: { options: { lang_code: 'en' }, answer: 'The answer is A', becomes: ['The answer is A', 'en'] },
    options: z.strictObject(language),
    process: (text, { lang_code: code }) => [text, code],
  })

export const pmmevalXnli = withLanguage('xnli', 'P-MMEval XNLI')
export const pmmevalMifeval = withLanguage('mifeval', 'P-MMEval MIFEval')
export const pmmevalMmmlu = withLanguage('mmmlu', 'P-MMEval MMMLU')
export const pmmevalMlogiqa = withLanguage('mlogiqa', 'P-MMEval MLogiQA')
export const pmmevalMhellaswag = withLanguage('mhellaswag', 'P-MMEval MHellaSwag')

export const pmmevalFlores = definePostprocessor({
  names: ['pmmeval_flores', 'pmmeval_flores_postprocess'],
  does: 'The translation and the name of its language, which the evaluator of P-MMEval Flores needs.',
  example: { options: { lang_fullname: 'German' }, answer: 'Guten Tag', becomes: ['Guten Tag', 'German'] },
  options: z.strictObject({ lang_fullname: z.string().describe('The language of the translation: "German", "Chinese" …') }),
  process: (text, { lang_fullname: name }) => [text, name],
})
