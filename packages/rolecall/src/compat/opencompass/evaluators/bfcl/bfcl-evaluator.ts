import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, isList } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { callsIn } from '../../../../evaluation/score/evaluate/tool-calls.ts'
import { judgeReply } from './judge-reply.ts'

export const bfclEvaluator = defineEvaluator({
  names: ['BFCLEvaluator'],
  does: 'The verdict of the Berkeley Function Calling Leaderboard, for rows of `row_format: bfcl`: name, types and allowed values of a call, several in any order, or none; `error` says which rule the answer breaks.',
  example: {
    answers: [[], [{ name: 'go', arguments: { to: 'Rome' } }]],
    rows: [0, 1].map(() => ({
      category: 'irrelevance',
      functions: [{ name: 'go', parameters: { type: 'dict', properties: { to: { type: 'string' } }, required: ['to'] } }],
    })),
    figures: { accuracy: 50 },
  },
  options: z.strictObject({
    category: z.string().optional().describe('The category of all rows, where they have no column `category`.'),
    underscore_names: z
      .boolean()
      .default(true)
      .describe('Names are expected with `_` for every `.`, as the model saw them (the default of `row_format: bfcl`).'),
  }),
  with: ({ category: all, underscore_names: hasUnderscores }) => ({
    metric: 'accuracy',
    kind: 'verdict',
    unit: 'percent',
    needsReference: false,
    readsCalls: true,
    judge({ prediction, reference, row, said = '' }) {
      const category = all ?? dictGet(row, 'category')
      const functions = dictGet(row, 'functions')
      if (typeof category !== 'string' || !isList(functions)) throw noFunctions()
      const answers = isList(reference) ? reference : []
      const judged = judgeReply({ category, functions, answers, calls: callsIn(prediction), text: said, hasUnderscores })
      const detail = { pred: prediction, answer: reference }
      if (judged.isValid) return verdict(true, detail)
      return verdict(false, { ...detail, error: judged.error, reason: judged.problem })
    },
  }),
})

function noFunctions(): PromptError {
  return new PromptError('no-functions', {
    where: 'the row',
    problem: 'it has no category, or no list of functions',
    fix: 'read the published files with row_format: bfcl, or with the preset bfcl',
  })
}
