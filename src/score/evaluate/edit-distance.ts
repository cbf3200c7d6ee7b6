import { z } from 'zod'
import { PromptError } from '../../prompt-error.ts'
import { dictGet, isDict, isList, type PyValue, pyEqual, pyStr } from '../../python/index.ts'
import { defineEvaluator, verdict } from './evaluator.ts'

/**
 * How many characters must be put in, taken out or changed.
 *
 * @example
 * levenshtein('kitten', 'sitting') // => 3
 */
export function levenshtein(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [row, character] of left.entries()) {
    const current = [row + 1]
    for (const [column, other] of right.entries()) {
      const change = previous[column]! + Number(character !== other)
      current.push(Math.min(change, previous[column + 1]! + 1, current[column]! + 1))
    }
    previous = current
  }
  return previous[right.length]!
}

export const editDistanceAccuracy = defineEvaluator({
  names: ['EDAccEvaluator'],
  does: 'Right when, of the candidates of a gold answer { candidates, label }, the nearest to the answer is the one with this number.',
  example: {
    answers: ['blu', 'gren'],
    gold: [
      { candidates: ['red', 'blue'], label: 1 },
      { candidates: ['red', 'green'], label: 0 },
    ],
    figures: { accuracy: 50 },
  },
  options: z.strictObject({}),
  with: () => ({
    metric: 'accuracy',
    kind: 'verdict',
    unit: 'percent',
    needsReference: true,
    judge({ prediction, reference }) {
      const { candidates, label } = readReference(reference)
      const distances = candidates.map((candidate) => {
        const spellings = isList(candidate) ? candidate : [candidate]
        return Math.min(...spellings.map((one) => levenshtein(pyStr(prediction), pyStr(one))))
      })
      const nearest = distances.indexOf(Math.min(...distances))
      return verdict(pyEqual(nearest, label), { pred: prediction, nearest, answer: label })
    },
  }),
})

function readReference(reference: PyValue): { candidates: readonly PyValue[]; label: PyValue } {
  const candidates = isDict(reference) ? dictGet(reference, 'candidates') : undefined
  const label = isDict(reference) ? dictGet(reference, 'label') : undefined
  if (candidates !== undefined && isList(candidates) && candidates.length > 0 && label !== undefined) return { candidates, label }
  throw new PromptError('wrong-reference', {
    where: 'the gold answer',
    problem: 'EDAccEvaluator needs an object with candidates and a label',
    fix: 'use rows whose output_column holds { candidates: [...], label: 0 }',
  })
}
