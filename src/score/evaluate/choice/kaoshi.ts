import { z } from 'zod'
import { isList, type PyValue, pyEqual } from '../../../python/index.ts'
import { findAll, substitute } from '../../../python/regex/index.ts'
import { defineEvaluator } from '../evaluator.ts'
import { answerText, wrongGold } from '../given.ts'
import { meanOf, percent, sumOf } from '../shares.ts'

const questionTypes = ['single_choice', 'multi_choice', 'multi_question_choice', 'five_out_of_seven', 'cloze', 'judgment'] as const
type QuestionType = (typeof questionTypes)[number]

/** What an answer says to the parts of a question of this type. */
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
      // A mark at the very beginning counts as none, as in the reference.
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

/** Points for one part: two for all letters of a question with several, one for some of them and no wrong one. */
function pointsFor(said: string, right: PyValue, type: QuestionType): number {
  if (pyEqual(said, right)) return type === 'multi_choice' ? 2 : 1
  return type === 'multi_choice' && typeof right === 'string' && [...said].every((letter) => right.includes(letter)) ? 1 : 0
}

type Points = { points: number; most: number }

export const kaoshi = defineEvaluator({
  names: ['KaoshiEvaluator'],
  does: 'The points that answers to exam questions get, by `question_type`; gold answers are lists, one for each part of the question.',
  example: { options: { question_type: 'multi_choice' }, answers: ['所以选 AB', '选 C'], gold: [['ABC'], ['C']], figures: { score: 75 } },
  options: z.strictObject({ question_type: z.enum(questionTypes).describe('What the questions of the dataset ask for.') }),
  with: ({ question_type: type }) => ({
    ...meanOf('score'),
    judge({ prediction, reference }) {
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
  }),
})

function partsOf(reference: PyValue): readonly PyValue[] {
  if (isList(reference)) return reference
  if (typeof reference === 'string') return [...reference]
  throw wrongGold('it is no list of answers', 'give one for each part of the question, as ["A"] or ["A", "C"]')
}
