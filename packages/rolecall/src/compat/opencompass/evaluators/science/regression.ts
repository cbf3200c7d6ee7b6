import { dictGet, floatOf, isDict, type PyValue, pyEqual } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type Evaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean, percent } from '../../../../evaluation/score/evaluate/shares.ts'
import { jsonDict } from '../json-dict.ts'
import { areaUnderCurve } from '../labels.ts'
import { pearson, spearman } from './correlation.ts'
import { firstNumber, propertyValue } from './property-value.ts'

type Pair = readonly [right: number, said: number]

/** Errors of numbers and the spread of the gold ones; NaN where there is nothing to compute it from. */
function errorsOf(pairs: readonly Pair[]): Figures {
  if (pairs.length === 0) return { MAE: Number.NaN, RMSE: Number.NaN, MAD: Number.NaN, 'MAD/MAE': Number.NaN }
  const right = pairs.map(([one]) => one)
  const middle = mean(right)
  const MAE = mean(pairs.map(([one, said]) => Math.abs(said - one)))
  const MAD = mean(right.map((one) => Math.abs(one - middle)))
  return { MAE, RMSE: Math.sqrt(mean(pairs.map(([one, said]) => (said - one) ** 2))), MAD, 'MAD/MAE': MAE === 0 ? Number.NaN : MAD / MAE }
}

/** A gold answer: a dict with `value`, its JSON, or the value. */
export function goldOf(reference: PyValue): { value: PyValue; target: PyValue | undefined } {
  const dict = isDict(reference) ? reference : typeof reference === 'string' ? jsonDict(reference) : undefined
  if (!dict) return { value: reference, target: undefined }
  const value = dictGet(dict, 'value')
  if (value === undefined) throw wrongGold('it has no "value"', 'use rows as SciReasoner15Dataset gives them')
  return { value, target: dictGet(dict, 'target') }
}

export function goldNumber(reference: PyValue): number {
  const value = floatOf(goldOf(reference).value)
  if (value === undefined) throw wrongGold('its value is not a number', 'use rows as SciReasoner15Dataset gives them')
  return value
}

type Read = { right: number; said: number | undefined }

/** Numbers read from answers, and how far they lie from the gold ones. */
function regression(read: (prediction: PyValue) => number | undefined, figures: (rows: readonly Read[]) => Figures = () => ({})) {
  return {
    metric: 'MAE',
    kind: 'quantity',
    unit: 'distance',
    direction: 'lower',
    needsReference: true,
    goldIsNoReply: true,
    beside: [{ metric: 'valid_rate', unit: 'percent' }],
    judge({ prediction, reference }) {
      const [right, said] = [goldNumber(reference), read(prediction)]
      const keep = { right, said: said !== undefined && Number.isFinite(said) ? said : undefined }
      return {
        score: keep.said === undefined ? Number.NaN : Math.abs(keep.said - right),
        detail: { pred: said ?? null, answer: right },
        keep,
      }
    },
    summarise(rows: readonly Read[]) {
      const pairs = rows.flatMap(({ right, said }): Pair[] => (said === undefined ? [] : [[right, said]]))
      const [right, said] = [pairs.map(([one]) => one), pairs.map(([, one]) => one)]
      const correlation = (of: typeof pearson) => (pairs.length < 2 ? Number.NaN : of(right, said))
      return {
        ...errorsOf(pairs),
        total: rows.length,
        valid: pairs.length,
        valid_rate: percent(pairs.length, rows.length),
        Pearson: correlation(pearson),
        Spearman: correlation(spearman),
        invalid_count: rows.length - pairs.length,
        ...figures(rows),
      }
    },
  } satisfies Evaluator<Read>
}

const noNumbers = { ...errorsOf([]), total: 0, valid: 0, valid_rate: 0, Pearson: Number.NaN, Spearman: Number.NaN, invalid_count: 0 }

export const sciReasonerMaterial = defineEvaluator({
  names: ['SciReasoner15MaterialEvaluator'],
  ofNothing: noNumbers,
  does: 'How far the number of `property_name`, in JSON or bare, lies from the gold one: MAE, RMSE and correlations over the answers with a number.',
  example: { options: { property_name: 'bandgap' }, answers: ['{"bandgap": 1.5}', 'none'], gold: [1, 2], figures: { MAE: 0.5 } },
  options: z.strictObject({ property_name: z.string().describe('The key of the number in answers.') }),
  with: ({ property_name: name }) => regression((prediction) => propertyValue(prediction, name)),
})

export const sciReasonerStructure = defineEvaluator({
  names: ['SciReasoner15TMScoreEvaluator'],
  ofNothing: { ...noNumbers, out_of_range_count: 0 },
  does: 'How far the first number of the answer lies from the gold TM-score: MAE, RMSE and correlations over the answers with a number.',
  example: { answers: ['0.7', '<think>1</think>0.2'], gold: [0.6, 0.2], figures: { MAE: 0.05 } },
  ...regression(firstNumber, (rows) => ({ out_of_range_count: count(rows, ({ said }) => said !== undefined && (said < 0 || said > 1)) })),
})

/** The area under the ROC curve; NaN if there is only one class. */
export function areaOf(rows: readonly { score: number; positive: boolean }[]): number {
  return rows.some(({ positive }) => positive) && rows.some(({ positive }) => !positive) ? areaUnderCurve(rows) : Number.NaN
}

type Material = { right: PyValue; said: PyValue }

/** The class of an answer of LLM4Mat: direct and true are 1. */
function classOf(value: PyValue): boolean | undefined {
  const isOneOf = (words: readonly PyValue[]) => words.some((word) => pyEqual(word, value))
  return isOneOf(['Direct', 'True', true]) ? true : isOneOf(['Indirect', 'False', false]) ? false : undefined
}

export const materials = defineEvaluator({
  names: ['LLM4Mat_Evaluator'],
  does: 'Numbers: MAE, RMSE and mean absolute deviation over the answers that are numbers. Classes (Direct or Indirect, True or False): the area under the ROC curve.',
  example: { answers: [1.5, 'x'], gold: [1.25, 2.5], figures: { MAE: 0.25 } },
  metric: 'MAE',
  kind: 'quantity',
  unit: 'distance',
  direction: 'lower',
  needsReference: true,
  judge: ({ prediction, reference }) => ({
    score: Math.abs((floatOf(prediction) ?? Number.NaN) - (floatOf(reference) ?? Number.NaN)),
    detail: { pred: prediction, answer: reference },
    keep: { right: reference, said: prediction },
  }),
  summarise(rows: readonly Material[]): Figures {
    const first = rows[0]!.right
    if (typeof first === 'boolean' || typeof first === 'string') {
      const classes = rows.flatMap(({ right, said }) => {
        const [positive, answered] = [classOf(right), classOf(said)]
        return positive === undefined || answered === undefined ? [] : [{ score: Number(answered), positive }]
      })
      return { AUC: areaOf(classes), MAE: Number.NaN }
    }
    const pairs = rows.flatMap(({ right, said }): Pair[] => {
      const [one, other] = [floatOf(right) ?? Number.NaN, floatOf(said) ?? Number.NaN]
      return Number.isFinite(one) && Number.isFinite(other) ? [[one, other]] : []
    })
    return { ...errorsOf(pairs), total: rows.length, filtered: pairs.length }
  },
})
