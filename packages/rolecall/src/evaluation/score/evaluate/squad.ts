import { pyStr, splitSpace } from '@rolecall/core/internal/python'
import { substitute } from '../../../python/regex/index.ts'
import { defineEvaluator } from './evaluator.ts'
import { acceptedAnswers } from './given.ts'
import { meanOf } from './shares.ts'

/** The harmonic mean of precision and recall of the multiset overlap of two lists. */
export function overlapF1<Item>(said: readonly Item[], right: readonly Item[]): number {
  const same = commonCount(said, right)
  if (same === 0) return 0
  const [precision, recall] = [same / said.length, same / right.length]
  return (2 * precision * recall) / (precision + recall)
}

/** The size of the multiset intersection of two lists. */
export function commonCount<Item>(said: readonly Item[], right: readonly Item[]): number {
  const left = new Map<Item, number>()
  for (const item of right) left.set(item, (left.get(item) ?? 0) + 1)
  let same = 0
  for (const item of said) {
    const count = left.get(item) ?? 0
    if (count === 0) continue
    same++
    left.set(item, count - 1)
  }
  return same
}

/** SQuAD's normalization: lower case, without ASCII punctuation, articles and double spaces. */
export function normalizeSquad(text: string): string {
  const plain = text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, '')
  return splitSpace(substitute(String.raw`\b(a|an|the)\b`, ' ', plain)).join(' ')
}

/** The overlap of two answers: the harmonic mean of precision and recall of their words. */
export function squadF1(prediction: string, reference: string): number {
  const [said, right] = [splitSpace(normalizeSquad(prediction)), splitSpace(normalizeSquad(reference))]
  return overlapF1(said, right)
}

export const squad = defineEvaluator({
  names: ['SquadEvaluator'],
  does: 'The words that the first line of the answer has in common with the gold answer, or with the nearest of several (F1), and how often it is one of them (`exact_match`).',
  example: { answers: ['the red car', 'a dog'], gold: [['red car'], ['cat']], figures: { f1: 50 } },
  ...meanOf('f1'),
  interval: 'scores',
  beside: [{ metric: 'exact_match', unit: 'percent' }],
  judge({ prediction, reference }) {
    const pred = pyStr(prediction).split('\n')[0]!
    const answers = acceptedAnswers(reference)
    const score = Math.max(0, ...answers.map((answer) => squadF1(pred, answer)))
    const isExact = answers.some((answer) => normalizeSquad(pred) === normalizeSquad(answer))
    const keep = { f1: score, isExact }
    return { score, detail: { pred, answer: reference, f1: score, exact_match: isExact }, keep }
  },
  summarise: (kept: readonly Kept[]) => ({
    f1: (100 * kept.reduce((sum, { f1 }) => sum + f1, 0)) / kept.length,
    exact_match: (100 * kept.filter(({ isExact }) => isExact).length) / kept.length,
  }),
})

type Kept = { f1: number; isExact: boolean }
