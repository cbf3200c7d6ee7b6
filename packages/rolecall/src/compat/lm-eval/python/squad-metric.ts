import { entriesOf, isDictValue, PythonError, pyFloat, type Value } from '@rolecall/core/internal/python'
import { itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { defineModule, native, numberOf, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'

/** Normalizes an answer as SQuAD does: lower case, without ASCII punctuation, articles and extra white space. */
export function normalizeAnswer(text: string): string {
  const plain = text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, '')
  return wordsOf(plain.replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')).join(' ')
}

function wordsOf(text: string): string[] {
  return text.split(/[\s\x1c-\x1f\x85]+/).filter((word) => word !== '')
}

function squadExact(gold: string, predicted: string): number {
  return Number(normalizeAnswer(gold) === normalizeAnswer(predicted))
}

/** The harmonic mean of word precision and recall. If one side has no words, the score is 1 only if neither has. */
function squadF1(gold: string, predicted: string): Value {
  const [right, given] = [wordsOf(normalizeAnswer(gold)), wordsOf(normalizeAnswer(predicted))]
  if (right.length === 0 || given.length === 0) return Number(right.length === given.length)
  const left = new Map<string, number>()
  for (const word of right) left.set(word, (left.get(word) ?? 0) + 1)
  let same = 0
  for (const word of given) {
    const count = left.get(word) ?? 0
    if (count > 0) same++
    left.set(word, count - 1)
  }
  if (same === 0) return 0
  const [precision, recall] = [same / given.length, same / right.length]
  return pyFloat((2 * precision * recall) / (precision + recall))
}

const onAnswers = (name: string, run: (gold: string, predicted: string) => Value) =>
  native(`${name}(a_gold, a_pred)`, (session, [gold, predicted]) => {
    session.step(textOf(gold).length + textOf(predicted).length)
    return run(textOf(gold), textOf(predicted))
  })

/** The part of the SQuAD metrics of `transformers` that tasks use. */
export const squadMetrics = defineModule('transformers.data.metrics.squad_metrics', {
  normalize_answer: native('normalize_answer(s)', (session, [text]) => session.made(normalizeAnswer(textOf(text)))),
  get_tokens: native('get_tokens(s)', (_, [text]) => wordsOf(normalizeAnswer(textOf(text)))),
  compute_exact: onAnswers('compute_exact', squadExact),
  compute_f1: onAnswers('compute_f1', squadF1),
})

export const transformersMetrics = defineModule('transformers.data.metrics', { squad_metrics: squadMetrics })

/** A question: what was said, how sure the model is that there is no answer, and the scores of what was said. */
type Question = { said: string; noAnswer: number; hasAnswer: boolean; exact: number; f1: number }

type Score = 'exact' | 'f1'

/** `squad_v2` of Hugging Face's `evaluate`, in per cent: over all questions, those with and without an answer, and with the best threshold. */
export function computeSquad(session: Session, references: Value, predictions: Value): Value {
  const replies = new Map(itemsOf(session, predictions).map((one) => [fieldOf(one, 'id'), one]))
  const questions = itemsOf(session, references).map((reference): Question => {
    const reply = replies.get(fieldOf(reference, 'id')) ?? null
    const said = textOf(fieldOf(reply, 'prediction_text'))
    const answers = itemsOf(session, fieldOf(fieldOf(reference, 'answers'), 'text')).map(textOf)
    const right = answers.filter((answer) => normalizeAnswer(answer) !== '')
    const best = (score: (gold: string, predicted: string) => Value) =>
      Math.max(...(right.length === 0 ? [''] : right).map((gold) => numberOf(score(gold, said))))
    session.step(said.length + answers.join('').length)
    return {
      said,
      noAnswer: numberOf(fieldOf(reply, 'no_answer_probability')),
      hasAnswer: answers.length > 0,
      exact: best(squadExact),
      f1: best(squadF1),
    }
  })
  const found: [string, Value][] = []
  const parts = [
    ['', questions],
    ['HasAns_', questions.filter(({ hasAnswer }) => hasAnswer)],
    ['NoAns_', questions.filter(({ hasAnswer }) => !hasAnswer)],
  ] as const
  for (const [prefix, part] of parts) {
    if (part.length === 0) continue
    for (const score of ['exact', 'f1'] as const)
      found.push([prefix + score, pyFloat((100 * part.reduce((sum, one) => sum + one[score], 0)) / part.length)])
    found.push([`${prefix}total`, part.length])
  }
  for (const score of ['exact', 'f1'] as const) {
    const { value, threshold } = bestThreshold(questions, score)
    found.push([`best_${score}`, pyFloat(value)], [`best_${score}_thresh`, pyFloat(threshold)])
  }
  return newDict(session, found)
}

function fieldOf(value: Value, name: string): Value {
  const found = isDictValue(value) ? entriesOf(value).find(([key]) => key === name)?.[1] : undefined
  if (found === undefined) throw new PythonError('KeyError', `'${name}'`)
  return found
}

/** The best score if questions whose probability of no answer is above a threshold count as unanswered. */
function bestThreshold(questions: readonly Question[], score: Score): { value: number; threshold: number } {
  let now = questions.filter(({ hasAnswer }) => !hasAnswer).length
  let best = { sum: now, threshold: 0 }
  for (const one of questions.toSorted((first, second) => first.noAnswer - second.noAnswer)) {
    now += one.hasAnswer ? one[score] : one.said === '' ? 0 : -1
    if (now > best.sum) best = { sum: now, threshold: one.noAnswer }
  }
  return { value: (100 * best.sum) / questions.length, threshold: best.threshold }
}
