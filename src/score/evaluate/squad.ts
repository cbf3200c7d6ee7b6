import { z } from 'zod'
import { pyStr, splitSpace } from '../../python/index.ts'
import { substitute } from '../../python/regex/index.ts'
import { defineEvaluator } from './evaluator.ts'

/** SQuAD's spelling: lower case, without ASCII punctuation, articles and double spaces. */
export function normalizeSquad(text: string): string {
  const plain = text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, '')
  return splitSpace(substitute(String.raw`\b(a|an|the)\b`, ' ', plain)).join(' ')
}

/** How much two answers have in common: the harmonic mean of precision and recall of their words. */
export function squadF1(prediction: string, reference: string): number {
  const [said, right] = [splitSpace(normalizeSquad(prediction)), splitSpace(normalizeSquad(reference))]
  const left = new Map<string, number>()
  for (const word of right) left.set(word, (left.get(word) ?? 0) + 1)
  let same = 0
  for (const word of said) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    same++
    left.set(word, count - 1)
  }
  if (same === 0) return 0
  const [precision, recall] = [same / said.length, same / right.length]
  return (2 * precision * recall) / (precision + recall)
}

export const squad = defineEvaluator({
  names: ['SquadEvaluator'],
  does: 'The words that the first line of the answer and the gold answer have in common (F1).',
  options: z.strictObject({}),
  with: () => ({
    metric: 'f1',
    unit: 'percent',
    needsReference: true,
    judge({ prediction, reference }) {
      const [pred, answer] = [pyStr(prediction).split('\n')[0]!, pyStr(reference)]
      const score = squadF1(pred, answer)
      return { score, detail: { pred, answer, f1: score, exact_match: normalizeSquad(pred) === normalizeSquad(answer) } }
    },
  }),
})
