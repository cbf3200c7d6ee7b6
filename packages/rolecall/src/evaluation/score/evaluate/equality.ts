import { pyEqual, pyStr } from '@rolecall/core/internal/python'
import { generalPostprocess } from '../postprocess/general.ts'
import { defineEvaluator, verdict } from './evaluator.ts'
import { acceptedAnswers } from './given.ts'
import { shareOf } from './shares.ts'

export const accuracy = defineEvaluator({
  names: ['AccEvaluator'],
  does: 'Right when answer and gold answer are the same text; 1 and "1" are.',
  example: { answers: ['B', 'C'], gold: ['B', 'D'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge: ({ prediction, reference }) => verdict(pyStr(prediction) === pyStr(reference), { pred: prediction, answer: reference }),
})

export const accuracyWithDetails = defineEvaluator({
  names: ['AccwithDetailsEvaluator'],
  does: 'Right when answer and gold answer are equal as values: 1 is not "1".',
  example: { answers: ['1', 1], gold: ['1', '1'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const correct = pyEqual(prediction, reference)
    return { score: Number(correct), detail: { pred: prediction, refr: reference, is_correct: correct } }
  },
})

export const exactMatch = defineEvaluator({
  names: ['EMEvaluator'],
  does: 'Right when the cleaned answer is one of the accepted ones, cleaned or as they are.',
  example: { answers: ['A cat.', 'dog'], gold: [['cat'], ['bird']], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const pred = generalPostprocess(pyStr(prediction))
    const answers = acceptedAnswers(reference)
    const answer = [...new Set([...answers.map(generalPostprocess), ...answers])]
    return verdict(answer.includes(pred), { pred, answer })
  },
})
