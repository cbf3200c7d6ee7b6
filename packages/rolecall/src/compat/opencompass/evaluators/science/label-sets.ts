import { isList, type PyValue, pyRound, pyStr, strip } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import * as z from 'zod'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { rougeScore } from '../../../../evaluation/score/evaluate/rouge.ts'
import { count, mean, percent, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { search, splitBy } from '../../../../python/regex/index.ts'
import { type SetOverlap, setOverlap, shares } from '../set-overlap.ts'
import { rougeStems } from './porter-stem.ts'
import { firstNumber, withoutReasoning } from './property-value.ts'
import { areaOf, goldNumber, goldOf } from './regression.ts'

/** Words of a yes or no; "dissimilar" holds "similar", so the negative ones are looked for first. */
const negative = ['dissimilar', 'inactive', 'negative', 'no', 'false']
const positive = ['similar', 'active', 'positive', 'yes', 'true']

/** The label that an answer gives, as a score from 0 to 1. */
function labelScore(prediction: PyValue): number | undefined {
  const text = withoutReasoning(prediction).toLowerCase()
  if (text === '') return undefined
  const named = search(String.raw`(?:label|answer|prediction|class)\s*[:=]\s*([01])(?=$|\s|[,;}\]])`, text)?.[1]
  if (named !== undefined) return Number(named)
  const said = firstNumber(text)
  if (said !== undefined && said >= 0 && said <= 1) return said
  if (negative.some((word) => text.includes(word))) return 0
  return positive.some((word) => text.includes(word)) ? 1 : undefined
}

type Labelled = { right: boolean; said: boolean; score: number | undefined; target: string }

function sharesOf(rows: readonly Labelled[]) {
  const common = count(rows, ({ right, said }) => right && said)
  return shares({ common, said: count(rows, ({ said }) => said), right: count(rows, ({ right }) => right) })
}

export const sciReasonerPairs = defineEvaluator({
  names: ['SciReasoner15DudeEvaluator'],
  ofNothing: {
    total: 0,
    Accuracy: 0,
    Precision: 0,
    Recall: 0,
    'F1 Score': 0,
    positive_rate: 0,
    gold_positive_rate: 0,
    AUC: Number.NaN,
    macro_target_f1: 0,
    macro_target_recall: 0,
    invalid_count: 0,
  },
  does: 'Right when the answer says 0 or 1, or a word for it, as the gold answer does; also precision, recall, F1 and AUC, over all rows and for each target. Unreadable answers are 0.',
  example: {
    answers: ['label: 1', 'dissimilar'],
    gold: [
      { value: 1, target: 'akt1' },
      { value: 1, target: 'akt1' },
    ],
    figures: { Accuracy: 50 },
  },
  ...shareOf('Accuracy'),
  goldIsNoReply: true,
  interval: 'scores',
  judge({ prediction, reference }) {
    const { target } = goldOf(reference)
    const [label, score] = [Math.trunc(goldNumber(reference)), labelScore(prediction)]
    const said = score !== undefined && score >= 0.5
    const correct = Number(said) === label
    const keep: Labelled = { right: label === 1, said, score, target: target ? pyStr(target) : 'unknown' }
    return { score: Number(correct), detail: { pred: score ?? null, answer: label, correct }, keep }
  },
  summarise(rows: readonly Labelled[]): Figures {
    const { precision, recall, f1 } = sharesOf(rows)
    const byTarget = [...new Set(rows.map(({ target }) => target))].map((name) => sharesOf(rows.filter(({ target }) => target === name)))
    const share = (holds: (row: Labelled) => boolean) => percent(count(rows, holds), rows.length)
    return {
      Accuracy: share(({ right, said }) => right === said),
      total: rows.length,
      Precision: precision,
      Recall: recall,
      'F1 Score': f1,
      positive_rate: share(({ said }) => said),
      gold_positive_rate: share(({ right }) => right),
      AUC: areaOf(rows.flatMap(({ right, score }) => (score === undefined ? [] : [{ score, positive: right }]))),
      macro_target_f1: mean(byTarget.map((one) => one.f1)),
      macro_target_recall: mean(byTarget.map((one) => one.recall)),
      invalid_count: count(rows, ({ score }) => score === undefined),
    }
  },
})

/** The labels of an answer: separated by semicolons if it has one, else by commas or lines. */
function labelsOf(value: PyValue): Set<string> {
  const text = withoutReasoning(value)
  const parts = splitBy(/[;；]/.test(text) ? String.raw`[;；]\s*` : String.raw`[\n,，]\s*`, text)
  return new Set(parts.flatMap((part) => (strip(part) === '' ? [] : [strip(part).toLowerCase()])))
}

type Sets = SetOverlap & { isExact: boolean }

export const sciReasonerTerms = defineEvaluator({
  names: ['SciReasoner15GOEvaluator'],
  ofNothing: {
    total: 0,
    Precision: 0,
    Recall: 0,
    'F1 Score': 0,
    score: 0,
    exact_match: 0,
    avg_correct_attributes: 0,
    avg_pred_labels: 0,
    avg_gold_labels: 0,
    empty_prediction_rate: 0,
  },
  does: 'F1 of the labels of answer and gold answer, separated by semicolons, commas or lines, on average; also precision, recall and exact matches.',
  example: { answers: ['binding; transport', 'growth'], gold: ['binding', 'decay'], figures: { score: 33.33 } },
  metric: 'score',
  kind: 'graded',
  unit: 'percent',
  needsReference: true,
  interval: 'scores',
  judge({ prediction, reference }) {
    const [said, right] = [labelsOf(prediction), labelsOf(goldOf(reference).value)]
    const overlap = setOverlap(said, right)
    const keep: Sets = { ...overlap, isExact: said.size === right.size && overlap.common === said.size }
    return { score: shares(keep).f1, detail: { pred: [...said], answer: [...right], correct: keep.isExact }, keep }
  },
  summarise(rows: readonly Sets[]): Figures {
    const each = rows.map(shares)
    const f1 = mean(each.map((one) => one.f1))
    return {
      score: f1 * 100,
      total: rows.length,
      Precision: mean(each.map(({ precision }) => precision)),
      Recall: mean(each.map(({ recall }) => recall)),
      'F1 Score': f1,
      exact_match: percent(
        count(rows, ({ isExact }) => isExact),
        rows.length,
      ),
      avg_correct_attributes: mean(rows.map(({ common }) => common)),
      avg_pred_labels: mean(rows.map(({ said }) => said)),
      avg_gold_labels: mean(rows.map(({ right }) => right)),
      empty_prediction_rate: percent(
        count(rows, ({ said }) => said === 0),
        rows.length,
      ),
    }
  },
})

/** How a task of OPI compares two texts: figures by name, or nothing if the row does not count. */
type Compare = (said: string, right: string) => Figures | undefined

const parts = (text: string) => new Set(splitBy(String.raw`[;,，；]\s*`, text).flatMap((part) => (strip(part) === '' ? [] : [strip(part)])))

const compareLabels: Compare = (answer, gold) => {
  const [said, right] = [parts(answer), parts(gold)]
  if (right.size === 0) return undefined
  const { precision, recall, f1 } = shares(setOverlap(said, right))
  return { Precision: precision, Recall: recall, 'F1 Score': f1 }
}

const sameText: Compare = (said, right) => ({ Accuracy: Number(said === right) })

const opiTasks: Readonly<Record<string, Compare>> = {
  Function: (said, right) => ({ 'ROUGE-L': rougeScore(said, right, rougeStems).rougeL.f }),
  Subcellular_localization: sameText,
  Fold_type: sameText,
  ...Object.fromEntries(
    ['EC_number', 'GO', 'Keywords', 'gSymbol2Tissue', 'gSymbol2Cancer', 'gName2Cancer'].map((task) => [task, compareLabels] as const),
  ),
}

export const proteinInstructions = defineEvaluator({
  names: ['Opi_Evaluator'],
  does: 'By `task`: ROUGE-L of a function, by the stems of its words, equality of a class, or F1 of labels, as shares to four places. For OPI.',
  example: { options: { task: 'Fold_type' }, answers: ['3', '4'], gold: ['3', '5'], figures: { Accuracy: 0.5 } },
  options: z.strictObject({
    task: z.string().describe('The task: Function, Subcellular_localization, Fold_type, EC_number, GO, Keywords …'),
  }),
  with({ task }) {
    const compare = ownEntry(opiTasks, task) ?? ((said, right) => sameText(said.toLowerCase(), right.toLowerCase()))
    const names = compare === compareLabels ? ['Precision', 'Recall', 'F1 Score'] : [task === 'Function' ? 'ROUGE-L' : 'Accuracy']
    const metric = names.at(-1)!
    const first = (value: PyValue) => strip(pyStr(isList(value) ? (value[0] ?? '') : value))
    return {
      metric,
      kind: 'graded' as const,
      unit: 'share',
      range: [0, 1] as const,
      needsReference: true,
      interval: 'scores' as const,
      judge({ prediction, reference }) {
        const [pred, answer] = [first(prediction), first(reference)]
        const keep = compare(pred, answer)
        return { score: keep?.[metric] ?? 0, detail: { pred, answer, ...keep }, keep }
      },
      summarise(rows: readonly (Figures | undefined)[]): Figures {
        const counted = rows.flatMap((row) => (row === undefined ? [] : [row]))
        const meanOf = (name: string) => (counted.length === 0 ? 0 : mean(counted.map((row) => row[name]!)))
        return Object.fromEntries(names.map((name) => [name, pyRound(meanOf(name), 4)]))
      },
    }
  },
})
