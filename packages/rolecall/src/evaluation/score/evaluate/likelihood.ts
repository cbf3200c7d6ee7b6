import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, dictKeys, floatOf, pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { defineEvaluator } from './evaluator.ts'

export const averagePerplexity = defineEvaluator({
  names: ['AveragePPLEvaluator'],
  does: 'The mean of what PPLOnlyInferencer gives for each row.',
  example: { answers: [1.5, 2.5], figures: { average_ppl: 2 } },
  metric: 'average_ppl',
  kind: 'quantity',
  unit: 'nats per token',
  direction: 'lower',
  range: [0, Number.POSITIVE_INFINITY],
  needsReference: false,
  judge({ prediction }) {
    const value = floatOf(prediction) ?? Number.NaN
    return { score: value, detail: { ppl: value } }
  },
})

export const bpc = defineEvaluator({
  names: ['BPCEvaluator'],
  does: 'Bits for each character of a text, over all rows, from what PPLOnlyInferencer gives: how well the model compresses it. `column` holds the text.',
  example: { answers: [4.5], rows: [{ content: 'ten digits' }], tokens: [4], figures: { bpc: 2.6 } },
  options: z.strictObject({ column: z._default(z.string(), 'content').check(z.describe('The column with the text that the prompt is.')) }),
  with: ({ column }) => ({
    metric: 'bpc',
    kind: 'quantity' as const,
    unit: 'bits per character',
    direction: 'lower' as const,
    range: [0, Number.POSITIVE_INFINITY] as const,
    needsReference: false,
    judge({ prediction, row, tokens = 0 }) {
      const mean = floatOf(prediction)
      const text = dictGet(row, column)
      if (mean === undefined || typeof prediction === 'string') {
        throw new PromptError('wrong-prediction', {
          where: 'BPCEvaluator',
          problem: 'it needs the likelihood of a text, but the answer is not a number',
          fix: 'set infer_cfg.inferencer.type to PPLOnlyInferencer',
        })
      }
      if (text === undefined) {
        throw new PromptError('no-column', {
          where: 'BPCEvaluator',
          problem: `the row has no "${column}", whose characters are counted`,
          fix: `name the column with the text: { type: BPCEvaluator, column: … } (it has: ${dictKeys(row).join(', ')})`,
        })
      }
      const keep = { loss: mean * tokens, characters: [...pyStr(text)].length }
      const bits = bitsPerCharacter([keep.loss], keep.characters)
      return { score: bits, detail: { bpc: bits, ...keep }, keep }
    },
    summarise: (kept: readonly { loss: number; characters: number }[]) => ({
      bpc: bitsPerCharacter(
        kept.map(({ loss }) => loss),
        kept.reduce((sum, { characters }) => sum + characters, 0),
      ),
    }),
  }),
})

/** The sum of all losses divided by the number of tokens. */
export function perplexityPerToken(losses: readonly number[], tokens: readonly number[]): number {
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
  return sum(losses) / sum(tokens)
}

/** The bits per character of a text, from a model's losses in nats. */
export function bitsPerCharacter(losses: readonly number[], characters: number): number {
  return losses.reduce((all, one) => all + one, 0) / (characters * Math.LN2)
}
