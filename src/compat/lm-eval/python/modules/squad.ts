import { pyFloat } from '../../../../base/python/index.ts'
import { defineModule, native, textOf } from '../../../../base/python/interpreter/modules/define-module.ts'
import type { Value } from '../../../../base/python/values/value.ts'

/** An answer as SQuAD compares it: in small letters, without ASCII punctuation, articles and needless white space. */
export function normalizeAnswer(text: string): string {
  const plain = text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, '')
  return wordsOf(plain.replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')).join(' ')
}

function wordsOf(text: string): string[] {
  return text.split(/[\s\x1c-\x1f\x85]+/).filter((word) => word !== '')
}

function exact(gold: string, predicted: string): number {
  return Number(normalizeAnswer(gold) === normalizeAnswer(predicted))
}

/** The harmonic mean of precision and recall of the words. Where one side has none, both must have none. */
function f1(gold: string, predicted: string): Value {
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
  native(name, (session, [gold, predicted]) => {
    session.step(textOf(gold).length + textOf(predicted).length)
    return run(textOf(gold), textOf(predicted))
  })

/** What tasks use of the SQuAD metrics of `transformers`. */
export const squadMetrics = defineModule('transformers.data.metrics.squad_metrics', {
  normalize_answer: native('normalize_answer', (session, [text]) => session.made(normalizeAnswer(textOf(text)))),
  get_tokens: native('get_tokens', (_, [text]) => wordsOf(normalizeAnswer(textOf(text)))),
  compute_exact: onAnswers('compute_exact', exact),
  compute_f1: onAnswers('compute_f1', f1),
})

export const transformersMetrics = defineModule('transformers.data.metrics', { squad_metrics: squadMetrics })
