import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, isDict, isList, type PyValue, pyEqual, pyStr } from '@rolecall/core/internal/python'
import { defineEvaluator, verdict } from '../../../evaluation/score/evaluate/evaluator.ts'
import { shareOf } from '../../../evaluation/score/evaluate/shares.ts'

/**
 * The number of characters to insert, delete or replace.
 *
 * @example
 * levenshtein('kitten', 'sitting') // => 3
 */
export function levenshtein(a: string, b: string): number {
  return sequenceDistance(codePoints(a), codePoints(b))
}

/** The number of items to insert, delete or replace. */
export function sequenceDistance<Item>(left: ArrayLike<Item>, right: ArrayLike<Item>): number {
  const [rows, columns] = left.length < right.length ? [right, left] : [left, right]
  // A common prefix and suffix do not affect the distance.
  let from = 0
  while (from < columns.length && rows[from] === columns[from]) from++
  let end = 0
  while (end < columns.length - from && rows[rows.length - 1 - end] === columns[columns.length - 1 - end]) end++
  const [last, width] = [rows.length - end, columns.length - end - from]
  const distances = Int32Array.from({ length: width + 1 }, (_, index) => index)
  for (let row = from; row < last; row++) {
    let diagonal = distances[0]!
    distances[0] = row - from + 1
    for (let column = 0; column < width; column++) {
      const above = distances[column + 1]!
      const change = diagonal + (rows[row] === columns[from + column] ? 0 : 1)
      distances[column + 1] = Math.min(change, above + 1, distances[column]! + 1)
      diagonal = above
    }
  }
  return distances[width]!
}

function codePoints(text: string): Int32Array {
  return Int32Array.from(text, (character) => character.codePointAt(0)!)
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
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const { candidates, label } = readReference(reference)
    const distances = candidates.map((candidate) => {
      const spellings = isList(candidate) ? candidate : [candidate]
      return Math.min(...spellings.map((one) => levenshtein(pyStr(prediction), pyStr(one))))
    })
    const nearest = distances.indexOf(Math.min(...distances))
    return verdict(pyEqual(nearest, label), { pred: prediction, nearest, answer: label })
  },
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
