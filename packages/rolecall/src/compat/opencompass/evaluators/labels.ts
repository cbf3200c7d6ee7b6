import { PromptError } from '@rolecall/core/internal/errors'
import { floatOf, isList, type PyValue, pyRepr, pyStr } from '@rolecall/core/internal/python'
import { defineEvaluator, type LikelyChoice, verdict } from '../../../evaluation/score/evaluate/evaluator.ts'
import { shareOf } from '../../../evaluation/score/evaluate/shares.ts'

/** Matthews' correlation of answers and gold answers, from -1 to 1; 0 if either is constant. */
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
  example: { answers: ['A', 'B', 'A', 'B'], gold: ['A', 'B', 'B', 'B'], figures: { matthews_correlation: 57.74 } },
  metric: 'matthews_correlation',
  kind: 'verdict',
  unit: 'percent',
  range: [-100, 100],
  needsReference: true,
  judge({ prediction, reference }) {
    const [said, right] = [pyStr(prediction), pyStr(reference)]
    return { ...verdict(said === right, { pred: prediction, answer: reference }), keep: [said, right] as const }
  },
  summarise: (kept: readonly (readonly [string, string])[]) => ({ matthews_correlation: 100 * matthews(kept) }),
})

/** The share of positive-negative pairs that the score orders correctly; ties count half. */
export function areaUnderCurve(rows: readonly { score: number; positive: boolean }[]): number {
  const sorted = [...rows].sort((a, b) => a.score - b.score)
  const positives = rows.filter(({ positive }) => positive).length
  const negatives = rows.length - positives
  if (positives === 0 || negatives === 0) {
    throw new PromptError('one-class', {
      where: 'the gold answers',
      problem: 'they are all the same, so there is nothing to distinguish',
      fix: 'use rows of both classes',
    })
  }
  let ranks = 0
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to++
    for (let at = from; at < to; at++) if (sorted[at]!.positive) ranks += (from + 1 + to) / 2
    from = to
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives)
}

type Kept = { score: number; positive: boolean; correct: boolean }

export const aucroc = defineEvaluator({
  names: ['AUCROCEvaluator'],
  does: 'The area under the ROC curve of two choices of CLPInferencer, or of answers that are lists of two probabilities, and their accuracy; gold answers are a choice, or its number: 0 or 1.',
  example: {
    answers: [
      [0.2, 0.8],
      [0.7, 0.3],
    ],
    gold: [1, 0],
    figures: { auc_score: 100 },
  },
  ...shareOf('auc_score'),
  goldIsNoReply: true,
  judge({ prediction, reference, choices }) {
    const probabilities = choices ? probabilitiesOf(choices) : readProbabilities(prediction)
    if (probabilities === undefined) throw noProbabilities()
    const right = classOf(reference, choices?.map(({ label }) => label) ?? [])
    const likeliest = probabilities.indexOf(Math.max(...probabilities))
    const judged = verdict(right === likeliest, { pred: probabilities, answer: reference })
    const keep = { score: probabilities[1]!, positive: right === 1, correct: judged.score === 1 }
    return { ...judged, keep }
  },
  beside: [{ metric: 'accuracy', unit: 'percent' }],
  summarise: (kept: readonly Kept[]) => ({
    auc_score: 100 * areaUnderCurve(kept),
    accuracy: (100 * kept.filter(({ correct }) => correct).length) / kept.length,
  }),
})

/** The choices' normalized probabilities, as the reference's CLPInferencer reports them. */
function probabilitiesOf(choices: readonly LikelyChoice[]): number[] | undefined {
  const highest = Math.max(...choices.map(({ logLikelihood }) => logLikelihood))
  const weights = choices.map(({ logLikelihood }) => Math.exp(logLikelihood - highest))
  const sum = weights.reduce((all, one) => all + one, 0)
  return weights.length < 2 || Number.isNaN(sum) ? undefined : weights.map((weight) => weight / sum)
}

function readProbabilities(prediction: PyValue): number[] | undefined {
  const numbers = isList(prediction) ? prediction.map((one) => floatOf(one) ?? Number.NaN) : []
  return numbers.length < 2 || numbers.some(Number.isNaN) ? undefined : numbers
}

function noProbabilities(): PromptError {
  return new PromptError('wrong-prediction', {
    where: 'the answer',
    problem: 'AUCROCEvaluator needs the probability of each class',
    fix: 'ask with CLPInferencer and two choices',
  })
}

/** The class of a gold answer: the choice equal to it, else the choice with this index, as in the reference. */
function classOf(gold: PyValue, choices: readonly string[]): number {
  const place = choices.indexOf(pyStr(gold))
  if (place >= 0) return place
  const number = floatOf(gold) ?? Number.NaN
  // If the choices are numbers themselves, 1 could be a choice in one row and an index in the next.
  const areNumbers = choices.some((choice) => floatOf(choice) !== undefined)
  if (Number.isInteger(number) && number >= 0 && !areNumbers) return number
  throw new PromptError('wrong-gold', {
    where: 'the gold answer',
    problem: `${pyRepr(gold)} is not a class`,
    fix: choices.length === 0 ? 'write 0 or 1' : `write one of the choices: ${choices.join(', ')}`,
  })
}
