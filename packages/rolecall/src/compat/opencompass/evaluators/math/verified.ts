import { floatOf, isList, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, textColumn, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean, meanOf, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, substitute } from '../../../../python/regex/index.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { numberFor, symbolsOf } from './algebra/expression.ts'
import { readMath } from './algebra/math-value.ts'
import { parseLatex } from './algebra/parse-latex.ts'
import { sameFormulas } from './algebra/same-formula.ts'
import { sameMath } from './algebra/same-math.ts'
import { treeDistance } from './algebra/tree-distance.ts'
import { allBoxed, announcedFormulas, answerBoxes } from './boxes.ts'
import { arithmeticValue } from './evaluate-arithmetic.ts'

export const mathVerify = defineEvaluator({
  names: ['MATHVerifyEvaluator'],
  does: 'Right when the content of \\boxed{…} in the answer is the same formula, number, set, interval, matrix or word as the gold answer; the last formula with a box counts, and adjacent boxes ("2 and 3") are a set. Without a box, the formulas ($…$) after "answer" or "final answer is" count.',
  example: { answers: ['\\boxed{(x+1)^2}', 'It is 7'], gold: ['x^2+2x+1', '7'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  interval: 'scores',
  judge({ prediction, reference }) {
    const gold = readMath(pyStr(reference))
    // An unparsable gold answer makes every answer wrong, as in the reference.
    const detail: Record<string, PyValue> = { pred: prediction, answer: reference }
    if (!gold) return { score: 0, detail: { ...detail, unreadable: true, correct: false }, keep: 0 }
    const answers = isList(prediction) ? prediction : [prediction]
    const right = count(answers, (one) => isVerified(answerText(one), gold)) / answers.length
    return { score: Number(right > 0), detail: { ...detail, correct: right > 0 }, keep: right }
  },
  summarise: (rows: readonly number[]) => ({ accuracy: 100 * mean(rows) }),
})

function isVerified(answer: string, gold: NonNullable<ReturnType<typeof readMath>>): boolean {
  const boxes = answerBoxes(answer)
  const formulas = boxes.length > 0 ? boxes : announcedFormulas(answer)
  const said = formulas.length === 0 ? undefined : readMath(formulas.join(','), { shortFractions: false })
  return said !== undefined && sameMath(said, gold)
}

export const game24 = defineEvaluator({
  names: ['Game24Evaluator'],
  does: 'Right when the expression uses each number of the gold answer once and comes to 24. The score is a fraction, not a percentage.',
  example: { answers: ['(1+2+3)*4', '4*6'], gold: ['1 2 3 4', '4 4 8 8'], figures: { 'acc score': 0.5 } },
  metric: 'acc score',
  kind: 'verdict',
  unit: 'share',
  range: [0, 1],
  needsReference: true,
  goldIsNoReply: true,
  judge({ prediction, reference }) {
    const numbers = (text: string) => findAll(String.raw`\d+`, text).sort().join()
    const value = arithmeticValue(answerText(prediction).replaceAll('^', '**'))
    const usesAll = numbers(answerText(prediction)) === numbers(goldText(reference))
    return verdict(usesAll && value !== undefined && Math.abs(value - 24) < 1e-9, { pred: prediction, answer: reference })
  },
})

/** Removes units and currency signs and writes pi as 3.14 and % as /100, like TheoremQA's script. */
function withoutUnits(text: string): string {
  let plain = substitute(String.raw`(?<![\d}])\\?π`, '3.14', text.replaceAll('\\pi', 'π'))
  plain = substitute(String.raw`(\d)(\\?π)`, (_, digit) => `${digit}*3.14`, plain)
  plain = substitute(String.raw`\*(\\?π)`, '*3.14', substitute(String.raw`\{(\\?π)\}`, '3.14', plain))
  plain = plain.replaceAll('%', '/100')
  for (const unit of ['$', '¥', '°C', ' C', '°']) plain = plain.replaceAll(unit, '')
  return plain
}

/** The number in an answer; undefined if it is not a number. */
function numberIn(answer: string): number | undefined {
  const plain = withoutUnits(answer)
  const formula = parseLatex(plain)
  if (formula && symbolsOf(formula).size === 0) {
    const value = numberFor(formula, new Map())
    return Number.isFinite(value) ? value : undefined
  }
  return formula ? undefined : (floatOf(plain) ?? arithmeticValue(plain))
}

export const theoremQa = defineEvaluator({
  names: ['TheoremQAEvaluatorV3'],
  does: 'Right when the answer is the gold text, has the gold option in it, or, by the `Answer_type` of the row, is the gold number: whole ones when rounded, others within 4 %.',
  example: {
    answers: ['3.14', '(b)'],
    gold: ['3.1416', '(a)'],
    rows: [{ Answer_type: 'float' }, { Answer_type: 'option' }],
    figures: { score: 50 },
  },
  ...shareOf('score'),
  judge({ prediction, reference, row }) {
    const [said, gold] = [answerText(prediction), goldText(reference)]
    const isNumber = ['float', 'integer', 'bool'].includes(textColumn(row, 'Answer_type'))
    const correct = isTheoremAnswer(said, gold, isNumber)
    return { score: Number(correct), detail: { pred: prediction, answer: reference, is_correct: correct } }
  },
})

function isTheoremAnswer(said: string, gold: string, isNumber: boolean): boolean {
  const right = isNumber ? (readLiteral(gold) ?? arithmeticValue(gold)) : undefined
  if (isNumber && right === undefined)
    throw wrongGold(`"${gold}" is not a number, as Answer_type says`, 'use rows as the loader of TheoremQA gives them')
  if (/^\([a-f]\)$/i.test(gold)) return said.toLowerCase().includes(gold.toLowerCase())
  if (said.toLowerCase() === gold.toLowerCase()) return true
  const [ours, theirs] = [numberIn(said), floatOf(right)]
  if (ours === undefined || theirs === undefined) return false
  if (/^[-+\s\d]+$|^(?:True|False)$/.test(gold)) return Math.round(ours) === theirs
  return Math.abs(ours - theirs) <= Math.abs(theirs) * 0.04
}

export const phyBench = defineEvaluator({
  names: ['MathEEDEvaluator'],
  does: 'Full marks when the formula in the last box is the gold one; else up to 60 less the share of its tree that must be changed (expression edit distance).',
  example: { answers: ['\\boxed{x^2+2}'], gold: ['x^2+1'], figures: { accuracy: 40 } },
  ...meanOf('accuracy'),
  judge({ prediction, reference }) {
    const text = answerText(prediction)
    const clean = strip(allBoxed(text).at(-1) ?? text)
    const score = formulaMark(clean, goldText(reference))
    return { score: score / 100, detail: { pred: prediction, ref: reference, pred_clean: clean, score } }
  },
})

function formulaMark(said: string, gold: string): number {
  const side = (text: string) => parseLatex(text.split('=').at(-1)!)
  const [ours, theirs] = [side(said), side(gold)]
  if (said === '' || !ours || !theirs) return 0
  if (sameFormulas(ours, theirs)) return 100
  const share = treeDistance(ours, theirs)
  return share > 0.6 ? 0 : 60 - 100 * share
}
