import { z } from 'zod'
import { pyEqual, pyStr } from '../../../base/python/index.ts'
import { defineEvaluator, verdict } from './evaluator.ts'

const none = z.strictObject({})

export const accuracy = defineEvaluator({
  names: ['AccEvaluator'],
  does: 'Right when answer and gold answer are the same text; 1 and "1" are.',
  example: { answers: ['B', 'C'], gold: ['B', 'D'], figures: { accuracy: 50 } },
  options: none,
  with: () => ({
    metric: 'accuracy',
    kind: 'verdict',
    unit: 'percent',
    needsReference: true,
    judge: ({ prediction, reference }) => verdict(pyStr(prediction) === pyStr(reference), { pred: prediction, answer: reference }),
  }),
})

export const accuracyWithDetails = defineEvaluator({
  names: ['AccwithDetailsEvaluator'],
  does: 'Right when answer and gold answer are equal as values: 1 is not "1".',
  example: { answers: ['1', 1], gold: ['1', '1'], figures: { accuracy: 50 } },
  options: none,
  with: () => ({
    metric: 'accuracy',
    kind: 'verdict',
    unit: 'percent',
    needsReference: true,
    judge({ prediction, reference }) {
      const correct = pyEqual(prediction, reference)
      return { score: Number(correct), detail: { pred: prediction, refr: reference, is_correct: correct } }
    },
  }),
})

export const mgsmEvaluator = defineEvaluator({
  names: ['MGSM_Evaluator'],
  does: 'Right when answer and gold answer are equal as values, for MGSM.',
  example: { answers: ['12', '7'], gold: ['12', '8'], figures: { accuracy: 50 } },
  options: none,
  with: () => ({
    metric: 'accuracy',
    kind: 'verdict',
    unit: 'percent',
    needsReference: true,
    judge: ({ prediction, reference }) => verdict(pyEqual(prediction, reference), { references: reference, predictions: prediction }),
  }),
})
