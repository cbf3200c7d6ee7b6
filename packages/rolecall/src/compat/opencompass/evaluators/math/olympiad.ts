import { floatOf, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, substitute } from '../../../../python/regex/index.ts'
import { negative, numberFor, symbolsOf } from './algebra/expression.ts'
import { atTop } from './algebra/math-value.ts'
import { parseLatex } from './algebra/parse-latex.ts'
import { constantRatio, sameFormulas } from './algebra/same-formula.ts'
import { allBoxed } from './boxes.ts'

/** Numbers within this difference are equal. */
const precision = 1e-8 * 1.01

const replaced: readonly (readonly [from: string, to: string])[] = [
  ['\\left', ''],
  ['\\right', ''],
  ['∶', ':'],
  ['，', ','],
  ['$', ''],
  ['\\approx', '='],
  ['\\simeq', '='],
  ['\\sim', '='],
  ['^\\prime', "'"],
  ['^{\\prime}', "'"],
  ['^\\circ', ''],
  ['%', ''],
]

/** The result of an answer: its boxes, else the text between dollars on its last line, else the whole text; without decoration. */
function finalAnswer(text: string): string {
  const boxes = allBoxed(text)
  const formulas = boxes.length > 0 ? boxes : findAll(String.raw`\$(.*?)\$`, strip(text).split('\n').at(-1)!)
  let answer = formulas.length > 0 ? `${formulas.join(',')},` : text
  if (answer.includes('\\in ')) answer = answer.split('\\in ')[1]!
  for (const [from, to] of replaced) answer = answer.replaceAll(from, to)
  answer = strip(answer, '\n$,.:;^_=+`!@#%&*~，。')
  return substitute(String.raw`\\(?:mathrm|mathbf)\{~?([^}]*)\}`, (_, inner) => inner, answer)
}

/** The parts of an answer, with both signs for plus-minus. */
function partsOf(answer: string): string[] {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (let at = 0; at < answer.length; at++) {
    if ('(['.includes(answer[at]!)) depth++
    else if (')]'.includes(answer[at]!)) depth--
    else if (answer[at] === ',' && depth === 0) {
      parts.push(strip(answer.slice(from, at)))
      from = at + 1
    }
  }
  if (from < answer.length) parts.push(strip(answer.slice(from)))
  return parts.flatMap((part) => (part.includes('\\pm') ? [part.replaceAll('\\pm', '+'), part.replaceAll('\\pm', '-')] : [part]))
}

const rightSide = (text: string) => strip(text.includes('=') ? text.split('=')[1]! : text)

function sameExpression(a: string, b: string): boolean {
  const [left, right] = [parseLatex(rightSide(a)), parseLatex(rightSide(b))]
  if (!left || !right) return false
  const [ours, theirs] = [symbolsOf(left).size, symbolsOf(right).size]
  if (ours === 0 && theirs === 0) return Math.abs(numberFor(left, new Map()) - numberFor(right, new Map())) <= precision
  return ours > 0 && theirs > 0 && sameFormulas(left, right)
}

function sameNumber(a: string, b: string): boolean {
  const [left, right] = [floatOf(a), floatOf(b)]
  if (left === undefined || right === undefined) return false
  // A percentage may stand for its number.
  return [left / 100, left, left * 100].some((one) => Math.abs(one - right) <= precision)
}

const isInterval = (text: string) => /^[([]/.test(text) && /[)\]]$/.test(text)

function sameIntervals(a: string, b: string): boolean {
  const [ours, theirs] = [a.split('\\cup'), b.split('\\cup')]
  if (ours.length !== theirs.length) return false
  return ours.every((one, index) => {
    const other = theirs[index]!
    if (one[0] !== other[0] || one.at(-1) !== other.at(-1)) return false
    const [ends, otherEnds] = [strip(one, '[]()').split(','), strip(other, '[]()').split(',')]
    return ends.slice(0, otherEnds.length).every((end, place) => sameExpression(end, otherEnds[place]!))
  })
}

/** Equations are equal if one is an integer multiple of the other. */
function sameEquation(a: string, b: string): boolean {
  const difference = (text: string) => {
    const sides = atTop(text, '=').map((side) => parseLatex(side))
    const [left, right] = sides
    return sides.length === 2 && left && right ? { kind: 'sum' as const, parts: [left, negative(right)] } : undefined
  }
  const [ours, theirs] = [difference(a), difference(b)]
  const ratio = ours && theirs && constantRatio(ours, theirs)
  if (ratio === undefined || ratio === 0) return false
  return [ratio, 1 / ratio].some((one) => Math.abs(one - Math.round(one)) < 1e-9 && Math.round(one) !== 0)
}

function samePart(a: string, b: string): boolean {
  if (a === b && a !== '') return true
  if (isInterval(a) && isInterval(b) && sameIntervals(a, b)) return true
  if (sameNumber(a, b)) return true
  if (sameExpression(a, b) && !(a.includes('=') && b.includes('='))) return true
  return sameEquation(a, b)
}

/** Whether the parts of two answers are equal, in any order. */
export function sameOlympiadAnswer(answer: string, gold: string): boolean {
  const [said, right] = [finalAnswer(answer), finalAnswer(gold)]
  if (said === right) return true
  const withoutChinese = (text: string) => text.replace(/[\u4e00-\u9fff]+/g, '')
  const [ours, theirs] = [partsOf(withoutChinese(said)), partsOf(withoutChinese(right))]
  if (ours.length !== theirs.length || ours.length > 100) return false
  return ours.every((part) => {
    const place = theirs.findIndex((other) => samePart(part, other))
    if (place >= 0) theirs.splice(place, 1)
    return place >= 0
  })
}

export const olympiadBench = defineEvaluator({
  names: ['OlympiadBenchEvaluator'],
  does: 'Right when the numbers, formulas, equations or intervals of the answer (its boxes, else its last line) are those of the gold answer, in any order.',
  example: { answers: ['$\\frac{1}{2}$', '2'], gold: ['0.5', '3'], figures: { accuracy: 50 } },
  options: z.strictObject({ version: z.enum(['v1', 'v2']).default('v1').describe("OpenCompass's; both compare alike.") }),
  with: () => ({
    ...shareOf('accuracy'),
    judge: ({ prediction, reference }) =>
      verdict(sameOlympiadAnswer(answerText(prediction), goldText(reference)), { pred: prediction, answer: reference }),
  }),
})
