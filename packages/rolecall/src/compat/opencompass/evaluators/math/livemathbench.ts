import { PromptError } from '@rolecall/core/internal/errors'
import { pyStr } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, textColumn } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { mathAnswerV2 } from '../../postprocessors/math-answers.ts'
import { mathEquivalent } from './math-answer.ts'

const row = { question: '1+1=?', question_type: '问答', subdivision: 'CNMO_cn' }
const ofModel = { describe: 'A judge model of OpenCompass: must be empty.' }

export const liveMathBench = defineEvaluator({
  names: ['LiveMathBenchEvaluator'],
  does: 'Right when the answer in the last \\boxed{…}, or in the sentence with "answer is", equals the gold answer in the spelling of MATH.',
  example: {
    options: { model_name: '', url: [] },
    answers: ['So \\boxed{\\frac{1}{2}}', '3'],
    gold: ['\\dfrac12', '4'],
    rows: [row, row],
    figures: { accuracy: 50 },
  },
  options: z.strictObject({
    model_name: z.string().optional().describe(ofModel.describe),
    url: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe(ofModel.describe),
    use_extract_model: z.boolean().optional().describe('Whether a model extracts the answers: must be false.'),
    extract_url: z.unknown().optional().describe(ofModel.describe),
    extract_model_name: z.string().optional().describe(ofModel.describe),
  }),
  with({ model_name: name = '', url = [], use_extract_model: extracts = false }) {
    if (extracts || (name !== '' && url.length > 0)) {
      throw new PromptError('own-judge', {
        where: 'eval_cfg.evaluator',
        problem: 'LiveMathBenchEvaluator judges by rule here, not with a model',
        fix: 'leave out model_name and url, or use GenericLLMEvaluator with your judge',
      })
    }
    return {
      ...shareOf('accuracy'),
      judge({ prediction, reference, row }) {
        for (const column of ['question', 'question_type']) textColumn(row, column)
        const [, language] = textColumn(row, 'subdivision').split('_')
        if (language === undefined) throw noLanguage()
        const correct = mathEquivalent(mathAnswerV2(answerText(prediction)), pyStr(reference), 'v2')
        return { score: Number(correct), detail: { pred: prediction, ref: reference, correct: Number(correct) } }
      },
    }
  },
})

function noLanguage(): PromptError {
  return new PromptError('wrong-column', {
    where: 'the column "subdivision" of the row',
    problem: 'it has no language after an underscore',
    fix: 'use rows as LiveMathBenchDataset gives them',
  })
}
