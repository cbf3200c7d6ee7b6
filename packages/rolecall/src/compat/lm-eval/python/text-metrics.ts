import type { Value } from '@rolecall/core/internal/python'
import { notUnderstood, PythonError, pyFloat, valueError } from '@rolecall/core/internal/python'
import { bleuCounts } from '../../../evaluation/score/evaluate/bleu.ts'
import { itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { native, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NativeObject } from '../../../python/interpreter/values.ts'
import { exp, log } from '../../../python/library/libm.ts'

/**
 * `bleu` of Hugging Face's `evaluate`: over all replies, without smoothing, and with the length of the shortest reference.
 * @see https://github.com/tensorflow/nmt/blob/master/nmt/scripts/bleu.py
 */
export function computeBleu(session: Session, references: Value, predictions: Value, options: Readonly<Record<string, Value>>): Value {
  const [other] = Object.keys(options)
  if (other !== undefined) throw notUnderstood(session.at, `"${other}" of bleu`, 'leave it out')
  const golds = itemsOf(session, references).map((one) => (typeof one === 'string' ? [one] : itemsOf(session, one).map(textOf)))
  const replies = itemsOf(session, predictions)
  if (replies.length !== golds.length)
    throw valueError(`Mismatch in the number of predictions (${replies.length}) and references (${golds.length})`)
  const counts = replies.map((reply, place) => {
    const right = golds[place]!
    session.step(textOf(reply).length + right.join('').length)
    const shortest = Math.min(...right.map((gold) => bleuCounts('', [gold]).referenceLength))
    return { ...bleuCounts(textOf(reply), right), referenceLength: shortest }
  })
  const sum = (pick: (one: (typeof counts)[number]) => number) => counts.reduce((total, one) => total + pick(one), 0)
  const [length, referenceLength] = [sum((one) => one.length), sum((one) => one.referenceLength)]
  if (length === 0 || referenceLength === 0) throw new PythonError('ZeroDivisionError', 'division by zero')
  const precisions = [0, 1, 2, 3].map((order) => {
    const total = sum((one) => one.total[order]!)
    return total > 0 ? sum((one) => one.correct[order]!) / total : 0
  })
  const ratio = length / referenceLength
  const brevity = ratio > 1 ? 1 : exp(1 - 1 / ratio)
  const mean = Math.min(...precisions) > 0 ? exp(precisions.reduce((total, one) => total + log(one) / 4, 0)) : 0
  return newDict(session, [
    ['bleu', pyFloat(mean * brevity)],
    ['precisions', precisions.map((one) => pyFloat(one))],
    ['brevity_penalty', pyFloat(brevity)],
    ['length_ratio', pyFloat(ratio)],
    ['translation_length', length],
    ['reference_length', referenceLength],
  ])
}

/** Metrics of `evaluate` that a network computes. */
export const networkMetrics: readonly string[] = ['bertscore', 'bleurt']

/** A metric that a network computes: loading it is no error, computing it raises an exception, which tasks turn into NaN. */
export class NetworkMetric extends NativeObject {
  readonly typeName = 'EvaluationModule'

  constructor(readonly name: string) {
    super()
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name !== 'compute') return undefined
    return native('compute(**kwargs)', () => {
      throw new PythonError('NotImplementedError', `${this.name} needs a network, which is not here`)
    })
  }
}
