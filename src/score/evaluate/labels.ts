import { z } from 'zod'
import { PromptError } from '../../prompt-error.ts'
import { floatOf, isList, type PyValue, pyEqual, pyStr } from '../../python/index.ts'
import { defineEvaluator, verdict } from './evaluator.ts'

/** Matthews' correlation of what was said and what is right, from -1 to 1; 0 where one of them never varies. */
export function matthews(pairs: readonly (readonly [said: string, right: string])[]): number {
  const [said, right] = [new Map<string, number>(), new Map<string, number>()]
  let correct = 0
  for (const [ours, theirs] of pairs) {
    said.set(ours, (said.get(ours) ?? 0) + 1)
    right.set(theirs, (right.get(theirs) ?? 0) + 1)
    if (ours === theirs) correct++
  }
  const product = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>) =>
    [...a].reduce((sum, [label, count]) => sum + count * (b.get(label) ?? 0), 0)
  const all = pairs.length ** 2
  const spread = (all - product(said, said)) * (all - product(right, right))
  return spread === 0 ? 0 : (correct * pairs.length - product(said, right)) / Math.sqrt(spread)
}

export const mcc = defineEvaluator({
  names: ['MccEvaluator'],
  does: "Matthews' correlation of answers and gold answers, in per cent.",
  options: z.strictObject({}),
  with: () => ({
    metric: 'matthews_correlation',
    unit: 'percent',
    needsReference: true,
    judge({ prediction, reference }) {
      const [said, right] = [pyStr(prediction), pyStr(reference)]
      return { ...verdict(said === right, { pred: prediction, answer: reference }), keep: [said, right] as const }
    },
    summarise: (kept: readonly (readonly [string, string])[]) => ({ matthews_correlation: 100 * matthews(kept) }),
  }),
})

/** The share of pairs of a positive and a negative row that the score puts in the right order; ties count half. */
export function areaUnderCurve(rows: readonly { score: number; positive: boolean }[]): number {
  const sorted = [...rows].sort((a, b) => a.score - b.score)
  const positives = rows.filter(({ positive }) => positive).length
  const negatives = rows.length - positives
  if (positives === 0 || negatives === 0) {
    throw new PromptError('one-class', {
      where: 'the gold answers',
      problem: 'they are all the same, so that nothing can be told apart',
      fix: 'use rows of both classes',
    })
  }
  let ranks = 0
  for (let from = 0; from < sorted.length; ) {
    let to = from
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to++
    for (let at = from; at < to; at++) if (sorted[at]!.positive) ranks += (from + 1 + to) / 2
    from = to
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives)
}

type Kept = { score: number; positive: boolean; correct: boolean }

export const aucroc = defineEvaluator({
  names: ['AUCROCEvaluator'],
  does: 'The area under the ROC curve of answers that are lists of two probabilities, and their accuracy; gold answers are 0 or 1.',
  options: z.strictObject({}),
  with: () => ({
    metric: 'auc_score',
    unit: 'percent',
    needsReference: true,
    judge({ prediction, reference }) {
      const probabilities = readProbabilities(prediction)
      const likeliest = probabilities.indexOf(Math.max(...probabilities))
      const judged = verdict(pyEqual(reference, likeliest), { pred: prediction, answer: reference })
      const keep = { score: probabilities[1]!, positive: pyEqual(reference, 1), correct: judged.score === 1 }
      return { ...judged, keep }
    },
    summarise: (kept: readonly Kept[]) => ({
      auc_score: 100 * areaUnderCurve(kept),
      accuracy: (100 * kept.filter(({ correct }) => correct).length) / kept.length,
    }),
  }),
})

function readProbabilities(prediction: PyValue): number[] {
  const numbers = isList(prediction) ? prediction.map((one) => floatOf(one)) : []
  if (numbers.length >= 2 && numbers.every((one) => one !== undefined)) return numbers as number[]
  throw new PromptError('wrong-prediction', {
    where: 'the answer',
    problem: 'AUCROCEvaluator needs the probability of each class',
    fix: 'ask with CLPInferencer',
  })
}
