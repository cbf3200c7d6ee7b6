import { isList, type PyValue, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { goldText } from '../../../../evaluation/score/evaluate/given.ts'
import { rouge } from '../../../../evaluation/score/evaluate/rouge.ts'
import { mean } from '../../../../evaluation/score/evaluate/shares.ts'

/** BLOSUM45, which scores the exchange of amino acids (Henikoff & Henikoff 1992): the rows of its lower triangle. */
const letters = 'ARNDCQEGHILKMFPSTWYVBZX*'
const triangle = `5|-2 7|-1 0 6|-2 -1 2 7|-1 -3 -2 -3 12|-1 1 0 0 -3 6|-1 0 0 2 -3 2 6|0 -2 0 -1 -3 -2 -2 7|-2 0 1 0 -3 1 0 -2 10|-1 -3 -2 -4 -3 -2 -3 -4 -3 5
-1 -2 -3 -3 -2 -2 -2 -3 -2 2 5|-1 3 0 0 -3 1 1 -2 -1 -3 -3 5|-1 -1 -2 -3 -2 0 -2 -2 0 2 2 -1 6|-2 -2 -2 -4 -2 -4 -3 -3 -2 0 1 -3 0 8
-1 -2 -2 -1 -4 -1 0 -2 -2 -2 -3 -1 -2 -3 9|1 -1 1 0 -1 0 0 0 -1 -2 -3 -1 -2 -2 -1 4|0 -1 0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -1 -1 2 5
-2 -2 -4 -4 -5 -2 -3 -2 -3 -2 -2 -2 -2 1 -3 -4 -3 15|-2 -1 -2 -2 -3 -1 -2 -3 2 0 0 -1 0 3 -3 -2 -1 3 8|0 -2 -3 -3 -1 -3 -3 -3 -3 3 1 -2 1 0 -3 -1 0 -3 -1 5
-1 -1 4 5 -2 0 1 -1 0 -3 -3 0 -2 -3 -2 0 0 -4 -2 -3 4|-1 0 0 1 -3 4 4 -2 0 -3 -2 1 -1 -3 -1 0 -1 -2 -2 -3 2 4
0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 0 0 -2 -1 -1 -1 -1 -1|-5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 1`
const scores = triangle.split(/[|\n]/).map((row) => row.split(' ').map(Number))

const scoreOf = (one: number, other: number) => scores[Math.max(one, other)]![Math.min(one, other)]!

/** The best local alignment of two sequences: a gap costs 10 for its first place and 0.5 for each further one. */
function localAlignment(one: readonly number[], other: readonly number[]): number {
  let best = 0
  let before = new Float64Array(other.length + 1)
  const down = new Float64Array(other.length + 1).fill(Number.NEGATIVE_INFINITY)
  for (const first of one) {
    const current = new Float64Array(other.length + 1)
    let across = Number.NEGATIVE_INFINITY
    for (let at = 1; at <= other.length; at++) {
      down[at] = Math.max(before[at]! - 10, down[at]! - 0.5)
      across = Math.max(current[at - 1]! - 10, across - 0.5)
      current[at] = Math.max(0, before[at - 1]! + scoreOf(first, other[at - 1]!), down[at]!, across)
      best = Math.max(best, current[at]!)
    }
    before = current
  }
  return best
}

/** The alignment of two proteins as a share of what they score with themselves; 0 for letters that are no amino acids. */
function likeness(one: string, other: string): number {
  const [first, second] = [one, other].map((text) => [...text].map((letter) => letters.indexOf(letter))) as [number[], number[]]
  if ([...first, ...second].includes(-1)) return 0
  const own = (sequence: readonly number[]) => sequence.reduce((sum, letter) => sum + scoreOf(letter, letter), 0)
  const both = own(first) * own(second)
  return both <= 0 ? 0 : Math.min(localAlignment(first, second) / Math.sqrt(both), 1)
}

const firstText = (value: PyValue) => strip(goldText(isList(value) ? (value[0] ?? '') : value))

export const proteinDesign = defineEvaluator({
  names: ['Mol_Instructions_Evaluator_Protein_Design'],
  does: 'How alike two proteins are: the score of their best local alignment (Smith-Waterman with BLOSUM45), as a share of what they score with themselves, in per cent.',
  example: { answers: ['MKTAYIAKQR', ''], gold: ['MKTWYIQR', 'MK'], figures: { 'Max SW score': 51.75 } },
  options: z.strictObject({ task: z.string().optional().describe("OpenCompass's; not read there either.") }),
  with: () => ({
    // The first metric is the one that OpenCompass shows.
    metric: 'Max SW score',
    kind: 'graded',
    interval: 'none',
    unit: 'percent',
    needsReference: true,
    beside: ['Min SW score', 'Average SW score', 'valid average SW score'].map((metric) => ({ metric, unit: 'percent' })),
    judge({ prediction, reference }) {
      const [pred, answer] = [firstText(prediction), firstText(reference)]
      const score = pred === '' || answer === '' ? 0 : likeness(pred, answer)
      return { score, detail: { pred, answer, score }, keep: 100 * score }
    },
    summarise(all: readonly number[]): Figures {
      const valid = all.filter((score) => score > 0)
      return {
        'Max SW score': all.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY),
        'Min SW score': all.reduce((least, score) => Math.min(least, score), Number.POSITIVE_INFINITY),
        'Average SW score': mean(all),
        'valid average SW score': valid.length === 0 ? 0 : mean(valid),
      }
    },
  }),
})

export const proteinFunction = defineEvaluator({
  ...rouge,
  names: ['Mol_Instructions_Evaluator_Protein'],
  does: 'As RougeEvaluator, for the proteins of Mol-Instructions.',
  options: z.strictObject({ task: z.string().optional().describe("OpenCompass's; not read there either.") }),
})
