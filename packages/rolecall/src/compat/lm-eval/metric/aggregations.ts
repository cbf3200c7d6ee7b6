import { PromptError } from '@rolecall/core/internal/errors'
import {
  type Dict,
  equals,
  floatOf,
  isInt,
  isListValue,
  type PyValue,
  plainText,
  repr,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import { numpyMean, numpySum } from '../../../python/interpreter/modules/numpy-sum.ts'
import { exp } from '../../../python/library/libm.ts'
import type { PythonRandom } from '../../../python/library/random.ts'
import { f1Score, type Labelled, matthewsCorrelation } from './classification.ts'
import {
  bleuOfCorpus,
  bleuOfTranslation,
  chrfOfCorpus,
  chrfOfTranslation,
  type Translation,
  terOfCorpus,
  terOfTranslation,
} from './sacrebleu.ts'

/** The value of a metric: a number, or from a function of the task a dict of numbers. */
export type Figure = number | Dict

/** A metric's values over the documents, read once: its aggregate, and the aggregate of a random resample. */
export type Measured = { figure(): Figure; ofDrawn(random: PythonRandom): number }

/** An aggregation, and how its standard error is computed: from the spread of the mean, by resampling, or not at all. */
export type Aggregation = {
  over(items: readonly Value[]): Measured
  error?: 'mean' | 'resampled'
}

/** An aggregation that measures each document once and aggregates the measures: resampling does not measure documents again. */
export function aggregation<Measure>(
  measure: (item: Value) => Measure,
  combine: (measures: readonly Measure[]) => number,
  error?: Pick<Aggregation, 'error'>,
): Aggregation {
  return {
    over(items) {
      const measures = items.map(measure)
      return { figure: () => combine(measures), ofDrawn: (random) => combine(random.choices(measures, measures.length)) }
    },
    ...error,
  }
}

const resampled = { error: 'resampled' } as const

/** The aggregations of lm-evaluation-harness, by name. */
export const aggregations: Readonly<Record<string, Aggregation>> = {
  mean: aggregation(numberOf, mean, { error: 'mean' }),
  nanmean: aggregation(numberOf, nanMean, resampled),
  // The middle value in document order: the harness does not sort.
  median: aggregation(numberOf, (values) => values[Math.floor(values.length / 2)]!, resampled),
  perplexity: aggregation(numberOf, (values) => exp(-mean(values)), resampled),
  weighted_perplexity: aggregation(weighted, (pairs) => exp(-weightedMean(pairs))),
  bits_per_byte: aggregation(weighted, (pairs) => -weightedMean(pairs) / Math.LN2),
  f1: aggregation(labelled, binaryF1, resampled),
  matthews_corrcoef: aggregation(labelled, matthewsCorrelation, resampled),
  bleu: aggregation((item) => bleuOfTranslation(translation(item)), bleuOfCorpus, resampled),
  chrf: aggregation((item) => chrfOfTranslation(translation(item)), chrfOfCorpus, resampled),
  'chrf++': aggregation((item) => chrfOfTranslation(translation(item), 2), chrfOfCorpus, resampled),
  ter: aggregation((item) => terOfTranslation(translation(item)), terOfCorpus, resampled),
  brier_score: aggregation(pairOf, brierScore),
  bypass: aggregation(
    () => 999,
    () => 999,
  ),
}

export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}

function nanMean(values: readonly number[]): number {
  const count = values.filter((value) => !Number.isNaN(value)).length
  // In its place, a NaN counts as 0.
  return count === 0 ? Number.NaN : numpySum(values.map((value) => value || 0)) / count
}

function weighted(item: Value): readonly [value: number, weight: number] {
  const [value, weight] = pairOf(item)
  return [numberOf(value), numberOf(weight)]
}

function weightedMean(pairs: readonly (readonly [value: number, weight: number])[]): number {
  return pairs.reduce((total, [value]) => total + value, 0) / pairs.reduce((total, [, weight]) => total + weight, 0)
}

function labelled(item: Value): Labelled {
  const [gold, predicted] = pairOf(item)
  return { gold, predicted }
}

/** scikit-learn treats label 1 as the positive class and refuses more than two labels. */
export function binaryF1(items: readonly Labelled[]): number {
  const labels: Value[] = []
  for (const { gold, predicted } of items)
    for (const label of [gold, predicted]) {
      if (isListValue(label) || label instanceof Tuple) throw cannotAggregate('labels that are lists')
      if (!labels.some((known) => equals(known, label))) labels.push(label)
    }
  if (labels.length > 2 || (labels.length === 2 && !labels.some((label) => equals(label, 1))))
    throw cannotAggregate(`labels other than 0 and 1 (${labels.map((label) => plainText(repr(label))).join(', ')})`)
  return f1Score(items)
}

function translation(item: Value): Translation {
  const [gold, reply] = pairOf(item)
  const references = isListValue(gold) ? gold : [gold]
  const said = isListValue(reply) && reply.length === 1 ? reply[0]! : reply
  if (typeof said !== 'string' || !references.every((one) => typeof one === 'string')) throw cannotAggregate('what is not text')
  return { reply: said, references: references as string[] }
}

function brierScore(pairs: readonly (readonly [Value, Value])[]): number {
  const classes = isListValue(pairs[0]![1]) ? pairs[0]![1].length : 0
  return numpyMean(
    pairs.map(([gold, given]) => {
      if (!isListValue(given) || given.length !== classes) throw cannotAggregate('documents with different numbers of choices')
      const right = isInt(gold) ? (Number(gold) < 0 ? Number(gold) + classes : Number(gold)) : -1
      if (right < 0 || right >= classes) throw cannotAggregate('a document whose right choice is none of its choices')
      return numpySum(given.map((one, index) => (numberOf(one) - (index === right ? 1 : 0)) ** 2))
    }),
  )
}

export function numberOf(value: Value): number {
  const number = typeof value === 'string' ? undefined : floatOf(value as PyValue)
  if (number === undefined) throw cannotAggregate(`what is not a number (${plainText(repr(value)).slice(0, 60)})`)
  return number
}

function pairOf(item: Value): readonly [Value, Value] {
  const items = item instanceof Tuple ? item.items : isListValue(item) ? item : []
  if (items.length < 2) throw cannotAggregate(`what is not a pair (${plainText(repr(item)).slice(0, 60)})`)
  return [items[0]!, items[1]!]
}

function cannotAggregate(what: string): PromptError {
  return new PromptError('cannot-aggregate', {
    where: 'metric_list',
    problem: `this aggregation cannot take ${what}`,
    fix: 'choose another metric or aggregation; lm-evaluation-harness fails here, too',
  })
}
