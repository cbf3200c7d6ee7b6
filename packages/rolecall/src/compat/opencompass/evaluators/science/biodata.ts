import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictFromEntries,
  dictGet,
  dictKeys,
  floatOf,
  isDict,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
  strip,
} from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean, meanOf, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, substitute } from '../../../../python/regex/index.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { areaUnderCurve, matthews } from '../labels.ts'
import { pearson, spearman } from './correlation.ts'
import { afterThinking, taggedNumbers } from './tagged-numbers.ts'

/** The content of the last \boxed{…}, without \text{…} and backslashes; null if there is none. */
function boxedText(text: string): string | null {
  const last = findAll(String.raw`\\boxed\{((?:[^{}]|{[^{}]*})*)\}`, text, { dotAll: true }).at(-1)
  if (last === undefined) return null
  const plain = substitute(String.raw`\\text\{([^}]*)\}`, (_, content) => content, strip(last))
  return substitute(String.raw`\\(.)`, (_, character) => character, plain)
}

const yesNo: Readonly<Record<string, number>> = { positive: 1, negative: 0, yes: 1, no: 0 }
const labelOf = (text: string | null) => {
  const label = text?.toLowerCase()
  return label !== undefined && Object.hasOwn(yesNo, label) ? yesNo[label] : undefined
}

export const biodataMatthews = defineEvaluator({
  names: ['BiodataMCCEvaluator'],
  does: "Matthews' correlation, in per cent, of yes or no (positive, negative) in the last \\boxed{…} and the gold answers; anything else is wrong.",
  example: { answers: ['\\boxed{yes}', '\\boxed{no}'], gold: ['positive', 'negative'], figures: { mcc: 100 } },
  metric: 'mcc',
  kind: 'verdict',
  unit: 'percent',
  range: [-100, 100],
  needsReference: true,
  judge({ prediction, reference }) {
    const pred = boxedText(afterThinking(answerText(prediction)))
    const right = labelOf(goldText(reference))
    if (right === undefined) throw wrongGold('it is neither yes nor no', 'write yes, no, positive or negative')
    const said = labelOf(pred === '' ? null : pred) ?? 1 - right
    const score = Number(said === right)
    return { score, detail: { pred, answer: reference, score }, keep: [String(said), String(right)] as const }
  },
  summarise: (kept: readonly (readonly [string, string])[]) => ({ mcc: 100 * matthews(kept) }),
})

const asYes = (text: string) => (text === 'positive' ? 'yes' : text === 'negative' ? 'no' : text)

export const biodataAccuracy = defineEvaluator({
  names: ['BiodataAccEvaluator'],
  ofNothing: { acc: 0 },
  does: 'Right when what stands in the last \\boxed{…} is the gold answer, whatever their case; positive is yes and negative is no.',
  example: { answers: ['\\boxed{Yes}', 'no'], gold: ['positive', 'no'], figures: { acc: 50 } },
  ...shareOf('acc'),
  judge({ prediction, reference }) {
    const boxed = boxedText(answerText(prediction))
    if (!boxed) return { score: 0, detail: { pred: boxed, answer: reference, acc: 0 } }
    const [pred, answer] = [asYes(boxed.toLowerCase()), asYes(goldText(reference))]
    const correct = pred.toLowerCase() === answer.toLowerCase()
    return { score: Number(correct), detail: { pred, answer, acc: correct ? 100 : 0 } }
  },
})

type Pair = readonly [right: number, said: number]

/** A metric over the rows with a number, scaled down by the share of rows without one. */
function overFinite(pairs: readonly Pair[], figure: (right: readonly number[], said: readonly number[]) => number): number {
  const finite = pairs.filter(([right, said]) => Number.isFinite(right) && Number.isFinite(said))
  const value =
    finite.length === 0
      ? 0
      : figure(
          finite.map(([right]) => right),
          finite.map(([, said]) => said),
        )
  const missing = count(pairs, ([, said]) => said === Number.POSITIVE_INFINITY || said === Number.NEGATIVE_INFINITY)
  return missing > 0 ? (value * finite.length) / pairs.length : value
}

/** Correlation metrics: a single row is neither right nor wrong. */
const correlation = { kind: 'quantity', unit: 'percent', needsReference: true } as const

export const biodataSpearman = defineEvaluator({
  names: ['BiodataSpearmanEvaluator'],
  ofNothing: { spearman: 0 },
  does: "Spearman's rank correlation, in per cent, of the last number in \\boxed{…} or <NUMBER>…</NUMBER> and the gold numbers; rows without a number count as uncorrelated.",
  example: { answers: ['\\boxed{1}', '\\boxed{2}', '\\boxed{4}'], gold: [1, 2, 3], figures: { spearman: 100 } },
  ...correlation,
  metric: 'spearman',
  range: [-100, 100],
  judge({ prediction, reference }) {
    const pred = taggedNumbers(afterThinking(answerText(prediction))).at(-1)
    const right = floatOf(reference)
    if (right === undefined) throw wrongGold('it is not a number', 'give a number')
    const keep: Pair = [right, pred ?? Number.POSITIVE_INFINITY]
    return { score: pred ?? 0, detail: { pred: pred ?? null, answer: reference }, keep }
  },
  summarise: (rows: readonly Pair[]) => ({ spearman: 100 * overFinite(rows, spearman) }),
})

/** The last {…} of a text, as JSON or Python; undefined if it is not a dict or its keys differ from the gold dict's. */
function dictIn(text: string): PyDict | undefined {
  const last = findAll(String.raw`\{[^{}]*\}`, text, { dotAll: true }).at(-1)
  if (last === undefined || last.includes('...')) return undefined
  const read = readJson(last) ?? readLiteral(last)
  return read !== undefined && isDict(read) && dictKeys(read).length > 0 ? read : undefined
}

function readJson(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

function sameKeys(said: PyDict, gold: PyDict): boolean {
  const keys = dictKeys(said)
  return keys.length === dictKeys(gold).length && keys.every((key) => dictGet(gold, key) !== undefined)
}

type ByKey = readonly (readonly [key: string, right: number, said: number])[]

/** An answer's numbers paired with those of the gold dict; infinity for missing ones. */
function numbersByKey(said: PyDict | undefined, gold: PyDict): ByKey {
  const fits = said !== undefined && sameKeys(said, gold)
  return (fits ? dictKeys(said) : dictKeys(gold)).map((key) => {
    const right = floatOf(dictGet(gold, key))
    if (right === undefined) throw wrongGold(`"${key}" is not a number`, 'give numbers by name')
    return [key, right, (fits ? floatOf(dictGet(said, key)) : undefined) ?? Number.POSITIVE_INFINITY] as const
  })
}

/** The mean of a metric over the keys. */
function meanByKey(rows: readonly ByKey[], figure: (pairs: readonly Pair[]) => number): number {
  const byKey = new Map<string, Pair[]>()
  for (const [key, right, said] of rows.flat()) byKey.set(key, [...(byKey.get(key) ?? []), [right, said]])
  return mean([...byKey.values()].map(figure))
}

export const biodataPearson = defineEvaluator({
  names: ['BiodataPCCEvaluator'],
  does: "Pearson's correlation, in per cent, of the numbers in the last {…} of the answer and those of the gold dict, key by key; at least two rows must have numbers.",
  example: {
    answers: ['{"a": 1}', '{"a": 2}', '{"a": 3}'],
    gold: [{ a: 2 }, { a: 4 }, { a: 6 }],
    figures: { pcc: 100 },
  },
  ...correlation,
  metric: 'pcc',
  range: [-100, 100],
  judge({ prediction, reference }) {
    if (!isDict(reference)) throw wrongGold('it is not an object', 'give numbers by name')
    const pred = dictIn(afterThinking(answerText(prediction)))
    return { score: 0, detail: { pred: pred ?? null, answer: reference }, keep: numbersByKey(pred, reference) }
  },
  summarise: (rows: readonly ByKey[]) => ({ pcc: 100 * meanByKey(rows, (pairs) => overFinite(pairs, pearsonOfTwo)) }),
})

function pearsonOfTwo(right: readonly number[], said: readonly number[]): number {
  if (right.length >= 2) return pearson(right, said)
  throw new PromptError('too-few-rows', {
    where: 'the rows',
    problem: 'fewer than two answers have numbers, and a correlation needs two',
    fix: 'ask more rows, and look at the answers',
  })
}

/** Squared Pearson correlation; infinite for fewer than two rows, as in the reference. */
const squared = (right: readonly number[], said: readonly number[]) =>
  right.length < 2 ? Number.POSITIVE_INFINITY : pearson(right, said) ** 2

type Fitted = { one: Pair } | { byKey: ByKey }

export const biodataFit = defineEvaluator({
  names: ['BiodataR2Evaluator'],
  does: "The square of Pearson's correlation, in per cent, of the last number (or of the numbers in the last {…}, where gold answers are dicts) and the gold numbers.",
  example: { answers: ['\\boxed{1}', '\\boxed{2}', '\\boxed{3}'], gold: [2.5, 4.5, 6.5], figures: { 'r^2': 100 } },
  ...correlation,
  metric: 'r^2',
  range: [0, 100],
  judge({ prediction, reference }) {
    const said = afterThinking(answerText(prediction))
    if (isDict(reference)) {
      const byKey = numbersByKey(dictIn(said), reference)
      const pred = dictFromEntries(byKey.map(([key, , number]) => [key, number] as const))
      return { score: 0, detail: { pred, answer: reference }, keep: { byKey } as Fitted }
    }
    const right = floatOf(reference)
    if (right === undefined) throw wrongGold('it is not a number', 'give a number, or numbers by name')
    const pred = taggedNumbers(said).at(-1)
    return {
      score: pred ?? 0,
      detail: { pred: pred ?? null, answer: reference },
      keep: { one: [right, pred ?? Number.POSITIVE_INFINITY] } as Fitted,
    }
  },
  summarise(rows: readonly Fitted[]): Figures {
    const dicts = rows.flatMap((row) => ('byKey' in row ? [row.byKey] : []))
    const pairs = rows.flatMap((row) => ('one' in row ? [row.one] : []))
    const value = dicts.length > 0 ? meanByKey(dicts, (some) => overFinite(some, squared)) : overFinite(pairs, squared)
    return { 'r^2': 100 * value }
  },
})

const lowest = 30
const highest = 1000

/** Half for the error over all numbers, half for the F1 of "below 30" weighted by the error below 30. */
function mixedScore(pairs: readonly Pair[]): number {
  const tooLarge = count(pairs, ([, said]) => Math.abs(said) > highest)
  const usual = pairs.filter(([right, said]) => Math.abs(said) <= highest && Number.isFinite(right))
  const [low, said] = [usual.filter(([right]) => right < lowest), usual.filter(([, one]) => one < lowest)]
  const both = count(said, ([right]) => right < lowest)
  const [precision, recall] = [said.length === 0 ? 0 : both / said.length, low.length === 0 ? 0 : both / low.length]
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  const error = (some: readonly Pair[]) =>
    some.length === 0 ? 100 : Math.min(100, mean(some.map(([right, one]) => Math.abs(right - one))))
  const inRange = usual.filter(([, one]) => one >= 0 && one <= lowest)
  const score = (1 - error(usual) / 100) * 0.5 + (1 - error(inRange) / 100) * f1 * 0.5
  return tooLarge > 0 ? (score * usual.length) / pairs.length : score
}

export const biodataMixed = defineEvaluator({
  names: ['BiodataMixedScoreEvaluator'],
  does: 'How near the last number in \\boxed{…} or <NUMBER>…</NUMBER> is to the gold one, and whether both lie below 30 (the mixed score of siRNA tasks); without a number the answer is 0.',
  example: { answers: ['\\boxed{8}'], gold: [8.5], figures: { Mixed: 99.5 } },
  ...meanOf('Mixed'),
  judge({ prediction, reference }) {
    const pred = taggedNumbers(afterThinking(answerText(prediction))).at(-1)
    const right = floatOf(reference)
    if (right === undefined) throw wrongGold('it is not a number', 'give a number')
    const keep: Pair = [right, pred ?? 0]
    const score = mixedScore([keep])
    return { score, detail: { pred: pred ?? null, answer: reference, score: score * 100 }, keep }
  },
  summarise: (rows: readonly Pair[]) => ({ Mixed: 100 * mixedScore(rows) }),
})

type Marked = { right: readonly boolean[]; said: readonly boolean[] }

export const biodataAuc = defineEvaluator({
  names: ['BiodataAucEvaluator'],
  does: 'The mean over the labels of the area under the ROC curve of the labels in the last \\boxed{…}, separated by commas, and the gold ones, in per cent.',
  example: {
    options: { predefined_labels: ['liver', 'lung'] },
    answers: ['\\boxed{liver}', '\\boxed{lung}'],
    gold: ['liver', 'lung'],
    figures: { auc: 100 },
  },
  options: z.strictObject({ predefined_labels: z.array(z.string()).min(1).describe('All labels there are, in small letters.') }),
  with: ({ predefined_labels }) => {
    const labels = [...new Set(predefined_labels)]
    return {
      metric: 'auc',
      kind: 'quantity' as const,
      unit: 'percent',
      range: [0, 100] as const,
      needsReference: true,
      judge({ prediction, reference }) {
        const pred = boxedText(afterThinking(answerText(prediction)))
        const named = (text: string) => new Set(text.split(',').map((one) => strip(one.toLowerCase())))
        const [ours, theirs] = [pred ? named(pred) : undefined, named(goldText(reference))]
        // An answer without a label means that all labels apply: the reference marks the ones that do not.
        const said = labels.map((label) => ours !== undefined && !ours.has(label))
        const right = labels.map((label) => !theirs.has(label))
        return { score: 0, detail: { pred, answer: reference, auc: Number.NaN }, keep: { right, said } }
      },
      summarise(rows: readonly Marked[]): Figures {
        const areas = labels.flatMap((_, place) => {
          const column = rows.map(({ right, said }) => ({ score: Number(said[place]), positive: right[place]! }))
          // A label that all rows have, or none, is excluded because its classes cannot be separated.
          return column.some(({ positive }) => positive) && column.some(({ positive }) => !positive) ? [areaUnderCurve(column)] : []
        })
        return { auc: 100 * mean(areas) }
      },
    }
  },
})
