import { compareCodePoints, equals, isNumber, type Value } from '@rolecall/core/internal/python'
import { numberOf } from '../../../python/interpreter/modules/define-module.ts'
import { numpySum } from '../../../python/interpreter/modules/numpy-sum.ts'

/** The right label of a document, and the predicted one. */
export type Labelled = { gold: Value; predicted: Value }

export type Average = 'binary' | 'micro' | 'macro' | 'weighted'

/** How often a label is right, predicted, and both. */
type Counts = { gold: number; predicted: number; both: number }

/**
 * scikit-learn's `f1_score`: binary for label 1, micro, macro, or weighted by how often each label is right.
 * A label that never occurs counts 0. `only`: the labels that are averaged.
 */
export function f1Score(items: readonly Labelled[], average: Average = 'binary', only?: readonly Value[]): number {
  if (average === 'binary') return f1(countsOf(items, (label) => equals(label, 1)))
  const labels = only ?? labelsOf(items)
  const counts = labels.map((label) => countsOf(items, (other) => equals(other, label)))
  if (average === 'micro') return f1({ gold: sum(counts, 'gold'), predicted: sum(counts, 'predicted'), both: sum(counts, 'both') })
  if (average === 'macro') return numpySum(counts.map(f1)) / counts.length
  const all = sum(counts, 'gold')
  return all === 0 ? 0 : numpySum(counts.map((one) => f1(one) * one.gold)) / all
}

/** Precision, recall and F1 of each label; 0 where the divisor is 0. */
export function labelScores(items: readonly Labelled[], labels: readonly Value[]): Record<'f1' | 'precision' | 'recall', number>[] {
  return labels.map((label) => {
    const counts = countsOf(items, (other) => equals(other, label))
    const share = (whole: number) => (whole === 0 ? 0 : counts.both / whole)
    return { f1: f1(counts), precision: share(counts.predicted), recall: share(counts.gold) }
  })
}

function f1({ gold, predicted, both }: Counts): number {
  return gold + predicted === 0 ? 0 : (2 * both) / (gold + predicted)
}

function sum(counts: readonly Counts[], key: keyof Counts): number {
  return counts.reduce((total, one) => total + one[key], 0)
}

function countsOf(items: readonly Labelled[], isLabel: (value: Value) => boolean): Counts {
  const counts: Counts = { gold: 0, predicted: 0, both: 0 }
  for (const { gold, predicted } of items) {
    const [isGold, isPredicted] = [isLabel(gold), isLabel(predicted)]
    counts.gold += Number(isGold)
    counts.predicted += Number(isPredicted)
    counts.both += Number(isGold && isPredicted)
  }
  return counts
}

/** The labels that occur: texts or numbers in the order of scikit-learn, a mix of both as they come. */
export function labelsOf(items: readonly Labelled[]): Value[] {
  const labels: Value[] = []
  for (const { gold, predicted } of items)
    for (const label of [gold, predicted]) if (!labels.some((known) => equals(known, label))) labels.push(label)
  if (labels.every((label) => typeof label === 'string')) return labels.sort((one, other) => compareCodePoints(one, other))
  return labels.every((label) => isNumber(label)) ? labels.sort((one, other) => numberOf(one) - numberOf(other)) : labels
}

/** scikit-learn's `matthews_corrcoef` for any number of labels; 0 if one side has only one label. */
export function matthewsCorrelation(items: readonly Labelled[]): number {
  const counts = labelsOf(items).map((label) => countsOf(items, (other) => equals(other, label)))
  const total = items.length
  const right = counts.reduce((all, { both }) => all + both, 0)
  const covariance = right * total - counts.reduce((all, { gold, predicted }) => all + gold * predicted, 0)
  const spread = (key: 'gold' | 'predicted') => total * total - counts.reduce((all, one) => all + one[key] ** 2, 0)
  const product = spread('gold') * spread('predicted')
  return product === 0 ? 0 : covariance / Math.sqrt(product)
}

export function accuracy(items: readonly Labelled[]): number {
  return items.filter(({ gold, predicted }) => equals(gold, predicted)).length / items.length
}
