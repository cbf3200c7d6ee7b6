import { isList, type PyValue, pyEqual } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { meanOf, percent, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { findAll, substitute } from '../../../../python/regex/index.ts'

const questionTypes = ['single_choice', 'multi_choice', 'multi_question_choice', 'five_out_of_seven', 'cloze', 'judgment'] as const
type QuestionType = (typeof questionTypes)[number]

/** The answers given to the parts of a question of this type. */
function answersIn(text: string, type: QuestionType, parts: number): string[] {
  switch (type) {
    case 'single_choice':
      return findAll('[A-D]', text).slice(-1)
    case 'multi_question_choice': {
      const marked = findAll(String.raw`【答案】\s*[:：]*\s*[A-Z]`, text)
      return marked.length === parts ? marked.map((one) => one.at(-1)!) : findAll('[A-Z]', text).slice(0, parts)
    }
    case 'multi_choice': {
      const content = substitute(String.raw`\s+`, '', text)
      const at = content.indexOf('【答案】')
      // A mark at the very beginning is ignored, as in the reference.
      const letters = findAll('[A-D]', at > 0 ? content.slice(at) : [...content].slice(-10).join('')).join('')
      return letters === '' ? [] : [letters]
    }
    case 'five_out_of_seven':
      return findAll('[A-G]', text).slice(0, 5)
    case 'cloze':
    case 'judgment':
      return findAll('【答案】(.*?) ', text).slice(0, 1)
  }
}

/** Points for one part: for questions with several letters, two for all of them, one for some without a wrong one. */
function pointsFor(said: string, right: PyValue, type: QuestionType): number {
  if (pyEqual(said, right)) return type === 'multi_choice' ? 2 : 1
  return type === 'multi_choice' && typeof right === 'string' && [...said].every((letter) => right.includes(letter)) ? 1 : 0
}

type Points = { points: number; most: number }
type Judged = { prediction: PyValue; reference: PyValue }

/** How answers to questions of a type are graded. */
function examOf(type: QuestionType) {
  return {
    ...meanOf('score'),
    judge({ prediction, reference }: Judged) {
      const answer = type === 'cloze' || type === 'judgment' ? [reference] : partsOf(reference)
      const found = answersIn(answerText(prediction), type, answer.length)
      const pred = found.length === answer.length ? found : answer.map(() => 'Z')
      const points = sumOf(answer.map((right, index) => pointsFor(pred[index]!, right, type)))
      const most = answer.length * (type === 'multi_choice' ? 2 : 1)
      return { score: most === 0 ? 0 : points / most, detail: { pred, answer: reference }, keep: { points, most } }
    },
    summarise: (rows: readonly Points[]) => ({
      score: percent(sumOf(rows.map(({ points }) => points)), sumOf(rows.map(({ most }) => most))),
    }),
  }
}

export const kaoshi = defineEvaluator({
  names: ['KaoshiEvaluator'],
  does: 'The points that answers to exam questions get, by `question_type`; gold answers are lists, one for each part of the question.',
  example: { options: { question_type: 'multi_choice' }, answers: ['所以选 AB', '选 C'], gold: [['ABC'], ['C']], figures: { score: 75 } },
  options: z.strictObject({ question_type: z.enum(questionTypes).describe('What the questions of the dataset ask for.') }),
  with: ({ question_type }) => examOf(question_type),
})

const gaokaoTypes = ['single_choice', 'multi_choice', 'multi_question_choice', 'five_out_of_seven'] as const
const byPeople = ['cloze', 'subjective', 'correction'] as const

/** Questions graded by people get no points, as in the reference. */
function unmarked() {
  return {
    ...meanOf('score'),
    judge: ({ prediction, reference }: Judged) => ({
      score: 0,
      detail: { pred: [answerText(prediction)], answer: reference },
      keep: { points: 0, most: 1 },
    }),
    summarise: (_: readonly Points[]) => ({ score: 0 }),
  }
}

const isMarked = (type: string): type is (typeof gaokaoTypes)[number] => gaokaoTypes.some((one) => one === type)

export const gaokao = defineEvaluator({
  names: ['GaokaoBenchEvaluator'],
  does: 'The same for GAOKAO-Bench. Questions of type `cloze`, `subjective` and `correction` are for people to mark: they get 0, as in OpenCompass.',
  example: { options: { question_type: 'single_choice' }, answers: ['A 不对，选 C', 'B'], gold: [['C'], ['C']], figures: { score: 50 } },
  options: z.strictObject({ question_type: z.enum([...gaokaoTypes, ...byPeople]).describe('What the questions of the dataset ask for.') }),
  with: ({ question_type: type }) => (isMarked(type) ? examOf(type) : unmarked()),
})

const examples: Record<(typeof gaokaoTypes)[number], { answers: string[]; gold: string[][]; figures: { score: number } }> = {
  single_choice: { answers: ['A 不对，选 C', 'B'], gold: [['C'], ['C']], figures: { score: 50 } },
  multi_choice: { answers: ['所以选 AB', '选 C'], gold: [['ABC'], ['C']], figures: { score: 75 } },
  multi_question_choice: { answers: ['【答案】A 【答案】B'], gold: [['A', 'C']], figures: { score: 50 } },
  five_out_of_seven: { answers: ['ABCDE'], gold: [['A', 'B', 'C', 'D', 'F']], figures: { score: 80 } },
}

const named = (type: (typeof gaokaoTypes)[number]) =>
  defineEvaluator({
    names: [`GaokaoBenchEvaluator_${type}`],
    does: `\`GaokaoBenchEvaluator\` with \`question_type: ${type}\`.`,
    example: examples[type],
    ...examOf(type),
  })

export const gaokaoSingle = named('single_choice')
export const gaokaoSeveral = named('multi_choice')
export const gaokaoParts = named('multi_question_choice')
export const gaokaoFive = named('five_out_of_seven')
export const gaokaoByPeople = defineEvaluator({
  names: byPeople.map((type) => `GaokaoBenchEvaluator_${type}`),
  does: '`GaokaoBenchEvaluator` with that `question_type`: 0 for every answer.',
  example: { answers: ['x'], gold: ['y'], figures: { score: 0 } },
  ...unmarked(),
  goldIsNoReply: true,
})

function partsOf(reference: PyValue): readonly PyValue[] {
  if (isList(reference)) return reference
  if (typeof reference === 'string') return [...reference]
  throw wrongGold('it is not a list of answers', 'give one for each part of the question, as ["A"] or ["A", "C"]')
}
