import { floatOf, intOf, isList, type PyValue, pyEqual, pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { defineEvaluator, verdict } from './evaluator.ts'
import { shareOf } from './shares.ts'

const share = { metric: 'accuracy', kind: 'verdict', unit: 'percent', needsReference: true } as const

function nearWhole(prediction: PyValue, reference: PyValue): boolean {
  const [said, right] = [floatOf(prediction), intOf(reference)]
  return said !== undefined && right !== undefined && Math.abs(said - Number(right)) < 1e-6
}

export const gsm8kEvaluator = defineEvaluator({
  names: ['Gsm8kEvaluator'],
  does: 'Right when the answer is the gold answer, or the same whole number to six places.',
  example: { answers: ['42', '41'], gold: ['42', '42'], figures: { accuracy: 50 } },
  ...share,
  judge: ({ prediction, reference }) =>
    verdict(pyEqual(prediction, reference) || nearWhole(prediction, reference), { pred: prediction, answer: reference }),
})

export const math401 = defineEvaluator({
  names: ['Math401Evaluator'],
  does: 'Right when the answer is the gold number to three places.',
  example: { answers: ['3.1416', '2'], gold: ['3.1415', '3'], figures: { accuracy: 50 } },
  ...share,
  judge({ prediction, reference }) {
    const [said, right] = [floatOf(prediction), floatOf(reference)]
    const correct = said !== undefined && right !== undefined && Math.abs(said - right) < 1e-3
    return verdict(correct, { pred: prediction, answer: reference })
  },
})

/** Not in OpenCompass: how often a model is right, and how often it also marks its answer as the examples do. */
export const markedNumberEvaluator = defineEvaluator({
  names: ['MarkedNumberEvaluator'],
  does: 'Right when the answer is the gold number to six places, with or without the mark that `marked_number` leaves; `strict_accuracy` counts only answers that were marked (by "####" or \\boxed).',
  example: { answers: ['#### 42', '42', '#### 41'], gold: ['42', '42', '42'], figures: { accuracy: 66.67 } },
  ...shareOf('accuracy'),
  interval: 'scores',
  beside: [{ metric: 'strict_accuracy', unit: 'percent' }],
  judge({ prediction, reference }) {
    const { number, isMarked } = readMark(prediction)
    const [said, right] = [floatOf(number), floatOf(readMark(reference).number)]
    const correct = said !== undefined && right !== undefined && Math.abs(said - right) < 1e-6
    const strict = correct && isMarked
    return { score: Number(correct), detail: { pred: number, answer: reference, correct, strict }, keep: { correct, strict } }
  },
  summarise: (kept: readonly Kept[]) => ({
    accuracy: (100 * kept.filter(({ correct }) => correct).length) / kept.length,
    strict_accuracy: (100 * kept.filter(({ strict }) => strict).length) / kept.length,
  }),
})

/** Not in OpenCompass: any two spellings of a number are equal. */
export const numberEvaluator = defineEvaluator<{ tolerance: number }>({
  names: ['NumberEvaluator'],
  does: 'Right when answer and gold answer are the same number, or differ by at most `tolerance`.',
  example: { answers: ['0.50', '2', 'none'], gold: ['0.5', '3', '1'], figures: { accuracy: 33.33 } },
  options: z.strictObject({
    tolerance: z._default(z.number().check(z.nonnegative()), 1e-6).check(z.describe('The largest difference that still is right.')),
  }),
  with: ({ tolerance }) => ({
    ...share,
    judge({ prediction, reference }) {
      const said = floatOf(prediction)
      const right = [isList(reference) ? reference : [reference]].flat().flatMap((one) => floatOf(one) ?? [])
      const correct = said !== undefined && right.some((one) => one === said || Math.abs(one - said) <= tolerance)
      return verdict(correct, { pred: prediction, answer: reference })
    },
  }),
})

type Kept = { correct: boolean; strict: boolean }

function readMark(value: PyValue): { number: string; isMarked: boolean } {
  const text = pyStr(value)
  return { number: text.replace(/^####\s*/, ''), isMarked: text.startsWith('####') }
}
