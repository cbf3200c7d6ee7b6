import { floatOf } from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText } from '../../../../evaluation/score/evaluate/given.ts'
import { mean } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, substitute } from '../../../../python/regex/index.ts'

/** Chemical elements without the noble gases, which OpenCompass leaves out. */
const elements =
  `H Li Be B C N O F Na Mg Al Si P S Cl K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In
Sn Sb Te I Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm
Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts`.split(/\s/)

const atoms = String.raw`[A-Z][a-z]?\d*(?:[A-Z][a-z]?\d*)*`

/** A text without formulas and without words that contain the symbol of an element. */
function withoutFormulas(text: string): string {
  const rest = substitute(String.raw`\b${atoms}(?:\(${atoms}\)\d*)*\b`, '', text)
  return substitute(String.raw`(\w+)`, (word) => (elements.some((element) => word.includes(element)) ? '' : word), rest)
}

const number = String.raw`-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`

/** The number after the last "answer:", else the last number; 0 if there is none or it is 20 or more. The sign is dropped. */
function saidNumber(answer: string): number {
  const text = withoutFormulas(answer)
  const announced = findAll(`answer:(${number})`, text.toLowerCase().replaceAll(' ', '')).at(-1)
  const value = floatOf(announced ?? findAll(number, text).at(-1) ?? '0') ?? 0
  return value < 0 ? -value : value < 20 ? value : 0
}

export const matbenchNumbers = defineEvaluator({
  names: ['MatbenchEvaluator_regression'],
  does: 'How far the number after "answer:", or the last one, lies from the gold number, on average; chemical formulas are removed first, and numbers from 20 on count as 0.',
  example: { answers: ['Fe2O3 has 1.5', 'none'], gold: [1, '0.5'], figures: { mae: 0.5 } },
  metric: 'mae',
  kind: 'quantity',
  unit: 'distance',
  direction: 'lower',
  needsReference: true,
  judge({ prediction, reference }) {
    const pred = saidNumber(answerText(prediction))
    const error = Math.abs(pred - (floatOf(reference) ?? Number.NaN))
    return { score: error, detail: { pred, answer: reference, error: Number.isNaN(error) ? null : error }, keep: error }
  },
  summarise(errors: readonly number[]): Figures {
    const known = errors.filter((error) => !Number.isNaN(error))
    return { mae: known.length === 0 ? 0 : mean(known) }
  },
})
