import { intOf, isList, type PyValue, pyEqual, pyStr, strip, stripEnd, stripStart } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type Figures, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, percent, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll } from '../../../../python/regex/index.ts'
import { sameFormula } from './hendrycks.ts'
import { extractBoxed, lastBoxed, mathEquivalent, normalizeFinalAnswer } from './math-answer.ts'

const boxOrAll = (value: PyValue) => normalizeFinalAnswer(extractBoxed(pyStr(value)) ?? pyStr(value))

export const boxedMath = defineEvaluator({
  names: ['ELBenchMathEvaluator'],
  does: 'Right when what the last boxes hold, or the whole texts, are equal in the spelling of final answers. For the mathematics of ELBench.',
  example: { answers: ['so \\boxed{4}', '5'], gold: ['4', '6'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge({ prediction, reference }) {
    const [pred, answer] = [boxOrAll(prediction), boxOrAll(reference)]
    return verdict(pred === answer && answer !== '', { pred, answer })
  },
})

export const internMath = defineEvaluator({
  names: ['MATHInternEvaluator'],
  does: "Right when both answers are the same formula in Hendrycks' spelling: \\frac12 and 1/2, 1,000 and 1000.",
  example: { answers: ['1/2', '5'], gold: ['\\frac12', '6'], figures: { accuracy: 50 } },
  ...shareOf('accuracy'),
  judge: ({ prediction, reference }) =>
    verdict(sameFormula(textOrNull(prediction), textOrNull(reference), 'intern'), { pred: prediction, answer: reference }),
})

function textOrNull(value: PyValue): string | null {
  return value === null ? null : answerText(value)
}

const lastSide = (text: string) => (text.includes('=') ? stripStart(text.split('=').at(-1)!, ' ') : text)

/** The result of an answer: in a box, between dollars, after the last "=", or its last number. */
function finalAnswer(text: string): string | null {
  let said = text
  for (const prefix of ['The answer is therefore', '答案是']) {
    const at = said.startsWith(prefix) ? 0 : said.lastIndexOf(prefix)
    if (at >= 0) said = strip(said.slice(at + prefix.length))
  }
  if (said.includes('\\boxed')) {
    const boxed = lastBoxed(said)
    return boxed?.startsWith('\\boxed{') && boxed.endsWith('}') ? lastSide(boxed.slice('\\boxed{'.length, -1)) : null
  }
  const between = findAll(String.raw`\$(.*)\$`, said).at(-1)
  if (between !== undefined && lastSide(between) !== '') return lastSide(between)
  if (said.includes('=')) return stripEnd(lastSide(said), '.').split('\\n')[0]!
  return findAll(String.raw`(?:\$)?\d+(?:\.\d+)?(?![\w\d])`, said).at(-1) ?? null
}

export const agiEval = defineEvaluator({
  names: ['AGIEvalEvaluator'],
  does: 'Right when what the answer comes to (a box, a formula between dollars, what follows the last "=", the last number) is the gold formula in Hendrycks\' spelling.',
  example: { answers: ['So $x=3$', '\\boxed{5}'], gold: ['3', '6'], figures: { score: 50 } },
  ...shareOf('score'),
  judge({ prediction, reference }) {
    const pred = finalAnswer(answerText(prediction))
    return verdict(sameFormula(pred, textOrNull(reference), 'math'), { pred, answer: reference })
  },
})

/** Abbreviations and names in medical texts whose letters are not options. */
const medicalNames =
  'CC CA AC POMES AI MIBG CF CTE AD CB BG BD BE BH CTB BI CE Pugh Child CTI CTA TACE PPD Castleman BA CH AB CTC CT CTH CD AH AE AA AF BC CG BB CI BF CTF CTG AG CTD 分级C 分级A I131 分级B 分级D 131I‐MIBG NYHA IPF DIP Lambert-Eaton Graves IIA期 CKD FDA A级 B级 C级 D级 维生素D'.split(
    ' ',
  )

export const medBench = defineEvaluator({
  names: ['MedBenchEvaluator'],
  does: 'Right when the capitals of the answer, but for those of medical names (CT, Graves …), are the gold letters.',
  example: { answers: ['选 A、C', 'B'], gold: [['A', 'C'], ['D']], figures: { Accuracy: 50 } },
  ...shareOf('Accuracy'),
  judge({ prediction, reference }) {
    const pred = findAll(
      '[A-Z]',
      medicalNames.reduce((rest, name) => rest.replaceAll(name, ''), answerText(prediction)),
    )
    return verdict(isList(reference) && pyEqual(pred, reference), { pred, answer: reference })
  },
})

type Step = { match: boolean; isFlawless: boolean }

export const processBench = defineEvaluator({
  names: ['ProcessBenchEvaluator'],
  ofNothing: { error_acc: 0, correct_acc: 0, f1: 0 },
  does: 'Right when the number in the last \\boxed{…} is that of the first wrong step, -1 where there is none: F1 of both kinds of rows.',
  example: { answers: ['\\boxed{2}', '\\boxed{-1}', '\\boxed{0}'], gold: ['2', '-1', '-1'], figures: { f1: 66.67 } },
  ...shareOf('f1'),
  interval: 'kept',
  beside: ['error_acc', 'correct_acc'].map((metric) => ({ metric, unit: 'percent' })),
  judge({ prediction, reference }) {
    const boxed = findAll(String.raw`boxed\{([^}]*)\}`, answerText(prediction)).at(-1)
    const said = boxed === undefined ? null : numberOrText(strip(boxed.replaceAll('{', '').replaceAll('}', '')))
    const label = numberOrText(typeof reference === 'string' ? reference : Number(intOf(reference) ?? noStep()))
    const match = said !== null && pyEqual(said, label)
    const detail = { generated_critique: prediction, prediction: said, label, match }
    return { score: Number(match), detail, keep: { match, isFlawless: pyEqual(label, -1) } }
  },
  summarise(rows: readonly Step[]): Figures {
    const share = (some: readonly Step[]) =>
      some.length === 0
        ? 0
        : percent(
            count(some, ({ match }) => match),
            some.length,
          )
    const [wrong, right] = [share(rows.filter((row) => !row.isFlawless)), share(rows.filter((row) => row.isFlawless))]
    return { f1: wrong + right === 0 ? 0 : (2 * wrong * right) / (wrong + right), error_acc: wrong, correct_acc: right }
  },
})

function numberOrText(value: string | number): string | number {
  const number = intOf(value)
  return number === undefined ? value : Number(number)
}

function noStep(): never {
  throw wrongGold('it is not a number of a step', 'give the number of the first wrong step, or -1')
}

export const mathEvaluator = defineEvaluator({
  names: ['MATHEvaluator'],
  does: 'Right when both answers are the same formula in one spelling: \\frac12 and 1/2, 5 cm and 5.',
  example: { options: { version: 'v2' }, answers: ['\\frac12', '5'], gold: ['\\frac{1}{2}', '6'], figures: { accuracy: 50 } },
  options: z.strictObject({ version: z.enum(['v1', 'v2']).default('v1').describe('Which spelling: v2 removes more.') }),
  with: ({ version }) => ({
    ...shareOf('accuracy'),
    judge: ({ prediction, reference }) =>
      verdict(mathEquivalent(strOrNull(prediction), strOrNull(reference), version), { pred: prediction, answer: reference }),
  }),
})

function strOrNull(value: PyValue): string | null {
  return value === null ? null : pyStr(value)
}
