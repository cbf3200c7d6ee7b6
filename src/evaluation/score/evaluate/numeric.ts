import { z } from 'zod'
import { floatOf, intOf, type PyValue, pyEqual, pyStr } from '../../../base/python/index.ts'
import { mathEquivalent } from '../../../compat/opencompass/evaluators/math/math-answer.ts'
import { defineEvaluator, verdict } from './evaluator.ts'

const none = z.strictObject({})
const share = { metric: 'accuracy', kind: 'verdict', unit: 'percent', needsReference: true } as const

function nearWhole(prediction: PyValue, reference: PyValue): boolean {
  const [said, right] = [floatOf(prediction), intOf(reference)]
  return said !== undefined && right !== undefined && Math.abs(said - Number(right)) < 1e-6
}

export const gsm8kEvaluator = defineEvaluator({
  names: ['Gsm8kEvaluator'],
  does: 'Right when the answer is the gold answer, or the same whole number to six places.',
  example: { answers: ['42', '41'], gold: ['42', '42'], figures: { accuracy: 50 } },
  options: none,
  with: () => ({
    ...share,
    judge: ({ prediction, reference }) =>
      verdict(pyEqual(prediction, reference) || nearWhole(prediction, reference), { pred: prediction, answer: reference }),
  }),
})

export const math401 = defineEvaluator({
  names: ['Math401Evaluator'],
  does: 'Right when the answer is the gold number to three places.',
  example: { answers: ['3.1416', '2'], gold: ['3.1415', '3'], figures: { accuracy: 50 } },
  options: none,
  with: () => ({
    ...share,
    judge({ prediction, reference }) {
      const [said, right] = [floatOf(prediction), floatOf(reference)]
      const correct = said !== undefined && right !== undefined && Math.abs(said - right) < 1e-3
      return verdict(correct, { pred: prediction, answer: reference })
    },
  }),
})

export const mathEvaluator = defineEvaluator({
  names: ['MATHEvaluator'],
  does: 'Right when both answers are the same formula in one spelling: \\frac12 and 1/2, 5 cm and 5.',
  example: { options: { version: 'v2' }, answers: ['\\frac12', '5'], gold: ['\\frac{1}{2}', '6'], figures: { accuracy: 50 } },
  options: z.strictObject({ version: z.enum(['v1', 'v2']).default('v1').describe('Which spelling: v2 removes more.') }),
  with: ({ version }) => ({
    ...share,
    judge: ({ prediction, reference }) =>
      verdict(mathEquivalent(textOrNull(prediction), textOrNull(reference), version), { pred: prediction, answer: reference }),
  }),
})

function textOrNull(value: PyValue): string | null {
  return value === null ? null : pyStr(value)
}
