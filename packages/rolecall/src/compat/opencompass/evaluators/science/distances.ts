import { floatOf, isList, PyFloat, type PyValue } from '@rolecall/core/internal/python'
import { defineEvaluator } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean, percent, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { pythonRegex } from '../../../../python/regex/index.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { taggedNumbers } from './tagged-numbers.ts'

/** The distance of answers from the gold numbers: rows are neither right nor wrong. */
const distance = { metric: 'score', kind: 'quantity', unit: 'distance', direction: 'lower', needsReference: true } as const

export const rootMeanSquare = defineEvaluator({
  names: ['RMSEEvaluator'],
  does: 'How far the first number in <NUMBER>…</NUMBER> or \\boxed{…} lies from the gold one; without a number the answer is 0.',
  example: { answers: ['<NUMBER> 1.5 </NUMBER>', 'none'], gold: ['<NUMBER>1</NUMBER>', '<NUMBER>2</NUMBER>'], figures: { score: 1.25 } },
  ...distance,
  judge({ prediction, reference }) {
    const [pred = 0] = taggedNumbers(answerText(prediction))
    const [answer] = taggedNumbers(goldText(reference))
    if (answer === undefined) throw wrongGold('it has no number in tags', 'write it as <NUMBER>1.5</NUMBER>')
    const score = Math.abs(pred - answer)
    return { score, detail: { pred, answer, score } }
  },
})

export const meanAbsolute = defineEvaluator({
  names: ['MAEEvaluator'],
  does: 'How far the last number in <NUMBER>…</NUMBER> or \\boxed{…} lies from the gold number; without a number the answer is 0.',
  example: { answers: ['<NUMBER> 1.5 </NUMBER>', 'none'], gold: ['1', 2], figures: { score: 1.25 } },
  ...distance,
  judge({ prediction, reference }) {
    const pred = taggedNumbers(answerText(prediction)).at(-1) ?? 0
    const answer = floatOf(reference)
    if (answer === undefined) throw wrongGold('it is not a number', 'give a number, or the text of one')
    const score = Math.abs(pred - answer)
    return { score, detail: { pred, answer, score } }
  },
})

/** The last list in a text, if it contains only floats. */
function lastCurve(text: string): number[] | undefined {
  const last = [...text.matchAll(pythonRegex(String.raw`(\[.*?\])`, { dotAll: true }))].at(-1)?.[1]
  const list = last === undefined ? undefined : readLiteral(last)
  if (list === undefined || !isList(list) || list.length === 0 || !list.every(isFloat)) return undefined
  return list.map((one) => floatOf(one)!)
}

/** Python floats: integral values are written with a decimal point. */
function isFloat(value: PyValue): boolean {
  return value instanceof PyFloat || (typeof value === 'number' && !Number.isInteger(value))
}

type Kept = { score: number; valid: boolean }

export const openSwi = defineEvaluator({
  names: ['OpenSWIMSEEvaluator'],
  does: 'The root of the mean squared distance of the last list of floats in the answer and the gold list; missing numbers are 0, and `valid` is how often none is.',
  example: { answers: ['[1.0, 2.0]', 'none'], gold: [[1, 2], [1]], figures: { score: 0.5 } },
  ...distance,
  beside: [{ metric: 'valid', unit: 'percent' }],
  judge({ prediction, reference }) {
    const gold = numbersOf(reference)
    const curve = lastCurve(answerText(prediction))
    const valid = curve !== undefined && curve.length === gold.length
    const squares = gold.map((right, index) => (right - (curve?.[index] ?? 0)) ** 2)
    const score = Math.sqrt(sumOf(squares) / squares.length)
    return { score, detail: { pred: curve ?? null, answer: reference, valid, score }, keep: { score, valid } }
  },
  summarise: (rows: readonly Kept[]) => ({
    score: mean(rows.map(({ score }) => score)),
    valid: percent(
      count(rows, (row) => row.valid),
      rows.length,
    ),
  }),
})

function numbersOf(reference: PyValue): number[] {
  const numbers = isList(reference) ? reference.map((one) => floatOf(one)) : []
  if (numbers.length > 0 && numbers.every((one) => one !== undefined)) return numbers
  throw wrongGold('it is not a list of numbers', 'give one as [1.0, 2.5]')
}
