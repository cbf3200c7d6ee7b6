import { z } from 'zod'
import { floatOf } from '../../python/index.ts'
import { defineEvaluator } from './evaluator.ts'

export const averagePerplexity = defineEvaluator({
  names: ['AveragePPLEvaluator'],
  does: 'The mean of what PPLOnlyInferencer gives for each row.',
  options: z.strictObject({}),
  with: () => ({
    metric: 'average_ppl',
    unit: 'mean',
    needsReference: false,
    judge({ prediction }) {
      const value = floatOf(prediction) ?? Number.NaN
      return { score: value, detail: { ppl: value } }
    },
  }),
})

/** The losses of all rows, summed over their tokens, for each token. */
export function perplexityPerToken(losses: readonly number[], tokens: readonly number[]): number {
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
  return sum(losses) / sum(tokens)
}

/** Bits that a model needs for each character of a text, from its losses in nats. */
export function bitsPerCharacter(losses: readonly number[], characters: number): number {
  return losses.reduce((all, one) => all + one, 0) / (characters * Math.LN2)
}
