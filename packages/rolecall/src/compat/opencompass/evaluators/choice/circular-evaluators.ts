import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, isList, type PyValue, pyEqual, pyStr } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { type Answer, defineEvaluator, type Evaluator, type Figures, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { groupBy } from '../../../../evaluation/score/evaluate/replicas.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { nearestOptionOf, optionLetters } from './nearest-option.ts'

const letters = ['A', 'B', 'C', 'D'] as const
const rotations: readonly string[] = ['ABCD', 'BCDA', 'CDAB', 'DABC']

const circularPattern = z.enum(['circular', 'all_possible']).describe('Which orders the options were shown in.')

type Turned = { said: string; index: string; right: string; pattern: string }

/** Option orders: original, rotations, all permutations. */
export function circularPatterns(options: readonly string[]): { origin: string[][]; circular: string[][]; all_possible: string[][] } {
  return {
    origin: [[...options]],
    circular: options.map((_, start) => [...options.slice(start), ...options.slice(0, start)]),
    all_possible: permutations(options),
  }
}

function permutations(items: readonly string[]): string[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]))
}

const percent = (part: number, whole: number) => (100 * part) / whole
const count = <Item>(items: Iterable<Item>, holds: (item: Item) => boolean) => [...items].filter(holds).length

export const circular = defineEvaluator({
  names: ['CircularEvaluator'],
  does: 'For questions asked four times with turned options: how many rows, and how many questions in all four, are right. Gold answers are "index--answer--pattern". With `circular_pattern` it is the class of the same name for circular datasets, as CircularDatasetEvaluator.',
  example: { answers: ['A', 'B', 'C', 'D'], gold: ['0--A--ABCD', '0--B--BCDA', '0--C--CDAB', '0--A--DABC'], figures: { acc_4: 75 } },
  options: z.strictObject({ circular_pattern: circularPattern.optional() }),
  with: ({ circular_pattern: kind }) => (kind === undefined ? byIndex : overPatterns(equalGold, kind)) as Evaluator<unknown>,
})

const byIndex = {
  ...shareOf('perf_4'),
  goldIsNoReply: true,
  judge({ prediction, reference }: Answer) {
    const [index = '', right = '', pattern = ''] = pyStr(reference).split('--')
    const said = pyStr(prediction)
    return { ...verdict(said === right, { pred: prediction, answer: right }), keep: { said, index, right, pattern } }
  },
  summarise: turnedFigures,
  beside: ['acc_1', 'acc_4', 'vote_4'].map((metric) => ({ metric, unit: 'percent' })),
  // Rows of one question belong together and cannot be resampled individually.
  interval: 'none' as const,
}

function turnedFigures(rows: readonly Turned[]): Figures {
  const isRight = ({ said, right }: Turned) => said === right
  const asWritten = ({ pattern }: Turned) => pattern === 'ABCD'
  const turned = ({ pattern }: Turned) => rotations.includes(pattern)
  const questions = [...groupBy(rows, ({ index }) => index).values()]
  const figures: Figures = {
    acc_4: percent(count(rows.filter(turned), isRight), rows.length),
    acc_1: 4 * percent(count(rows.filter(asWritten), isRight), rows.length),
  }
  for (const [times, belongs] of [[1, asWritten] as const, [4, turned] as const]) {
    for (let least = 0; least <= times; least++) {
      figures[`more_${times}_${least}`] = percent(
        count(questions, (question) => count(question.filter(belongs), isRight) >= least),
        questions.length,
      )
    }
    figures[`perf_${times}`] = figures[`more_${times}_${times}`]!
    if (!rows.some(belongs)) throw noPattern()
    figures[`vote_${times}`] = percent(
      count(questions, (question) => votes(question, belongs)),
      questions.length,
    )
  }
  for (const letter of letters)
    figures[`prior_${letter}`] = percent(
      count(rows, ({ said }) => said === letter),
      rows.length,
    )
  figures['prior_-'] = percent(
    count(rows, ({ said }) => !isLetter(said)),
    rows.length,
  )
  return figures
}

function isLetter(text: string): boolean {
  return (letters as readonly string[]).includes(text)
}

function noPattern(): PromptError {
  return new PromptError('no-pattern', {
    where: 'the gold answers',
    problem: 'no row has its options in the written order, or none in one of the four turned ones',
    fix: 'ask every question as ABCD, BCDA, CDAB and DABC',
  })
}

/** Whether the option that most rows chose, mapped back to the original order, is the right one; ties go to the first. */
function votes(question: readonly Turned[], belongs: (row: Turned) => boolean): boolean {
  const original = (letter: string, pattern: string) => pattern[letters.indexOf(letter as (typeof letters)[number])]
  const chosen = new Map<string, number>()
  for (const { said, pattern } of question.filter(belongs)) {
    const option = isLetter(said) ? (original(said, pattern) ?? '-') : '-'
    chosen.set(option, (chosen.get(option) ?? 0) + 1)
  }
  // Its rows have no answer.
  if (chosen.size === 0) return false
  const [most] = [...chosen].reduce((best, one) => (one[1] > best[1] ? one : best))
  return most === original(question[0]!.right, question[0]!.pattern)
}

type Patterned = { correct: boolean; question: string; pattern: readonly string[] }

const turnedRows = [
  { qid: 1, circular_pattern: ['A', 'B', 'C', 'D'] },
  { qid: 1, circular_pattern: ['B', 'C', 'D', 'A'] },
]

/** Rows with a `qid` and a `circular_pattern`, judged one by one. */
function overPatterns(
  isRight: (answer: Answer) => { correct: boolean; detail: Record<string, PyValue> },
  kind: 'circular' | 'all_possible',
) {
  return {
    ...shareOf('perf_circular'),
    judge(answer: Answer) {
      const { correct, detail } = isRight(answer)
      const pattern = patternOf(dictGet(answer.row, 'circular_pattern'))
      return { ...verdict(correct, detail), keep: { correct, question: pyStr(dictGet(answer.row, 'qid')), pattern } }
    },
    summarise: (rows: readonly Patterned[]) => patternFigures(rows, kind),
    beside: ['acc_origin', 'acc_circular'].map((metric) => ({ metric, unit: 'percent' })),
    interval: 'none' as const,
  }
}

/** For circular datasets: rows have a `qid` and a `circular_pattern`. */
export const circularDataset = defineEvaluator({
  names: ['CircularDatasetEvaluator'],
  does: 'For rows with a qid and a circular_pattern: right rows (acc), questions right in every order (perf), in at least n orders (more).',
  example: { answers: ['A', 'B'], gold: ['A', 'A'], rows: turnedRows, figures: { acc_origin: 100 } },
  options: z.strictObject({ circular_pattern: circularPattern.default('circular') }),
  with: ({ circular_pattern: kind }) => overPatterns(equalGold, kind),
})

function equalGold({ prediction, reference }: Answer) {
  return { correct: pyEqual(prediction, reference), detail: { pred: prediction, answer: reference } }
}

export const circularNearest = defineEvaluator({
  names: ['CircularOptionSimAccEvaluator'],
  does: 'The same where the answer announces the gold option, contains its text, or is nearest to it, as for OptionSimAccEvaluator.',
  example: {
    options: { options: ['A', 'B', 'C', 'D'] },
    answers: ['A', 'B'],
    gold: ['A', 'A'],
    rows: turnedRows.map((row) => ({ ...row, A: 'red', B: 'blue', C: 'green', D: 'grey' })),
    figures: { acc_origin: 100 },
  },
  options: z.strictObject({ options: optionLetters, circular_pattern: circularPattern.default('circular') }),
  with: ({ options, circular_pattern: kind }) => {
    const optionOf = nearestOptionOf(options)
    return overPatterns(({ prediction, reference, row }) => {
      const parsed = optionOf(prediction, row)
      return { correct: parsed === pyStr(reference), detail: { pred: prediction, parsed, answer: reference } }
    }, kind)
  },
})

function patternFigures(rows: readonly Patterned[], kind: 'circular' | 'all_possible'): Figures {
  const { all_possible: every, ...usual } = circularPatterns(rows[0]!.pattern)
  const figures: Figures = {}
  for (const [name, patterns] of Object.entries(kind === 'all_possible' ? { ...usual, all_possible: every } : usual)) {
    const known = new Set(patterns.map((pattern) => pattern.join('\u0000')))
    const belonging = rows.filter(({ pattern }) => known.has(pattern.join('\u0000')))
    const questions = [...groupBy(belonging, ({ question }) => question).values()]
    const right = ({ correct }: Patterned) => correct
    figures[`acc_${name}`] = percent(count(belonging, right), belonging.length)
    for (let least = 1; least <= patterns.length; least++) {
      figures[least === patterns.length ? `perf_${name}` : `more_${least}_${name}`] = percent(
        count(questions, (question) => count(question, right) >= least),
        questions.length,
      )
    }
  }
  return figures
}

function patternOf(value: PyValue | undefined): string[] {
  if (value !== undefined && isList(value)) return value.map((one) => pyStr(one))
  throw new PromptError('missing', {
    where: 'the row',
    problem: 'it has no circular_pattern',
    fix: 'use a dataset whose rows say in which order their options are shown',
  })
}
