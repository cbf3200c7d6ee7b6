import { pyFloat } from '../../../../base/python/index.ts'
import { call } from '../../../../base/python/interpreter/call.ts'
import { newDict } from '../../../../base/python/interpreter/dicts.ts'
import { itemsOf } from '../../../../base/python/interpreter/items.ts'
import { defineModule, native, numberOf, textOf } from '../../../../base/python/interpreter/modules/define-module.ts'
import type { Session } from '../../../../base/python/interpreter/session.ts'
import { NativeObject } from '../../../../base/python/interpreter/values.ts'
import { bind } from '../../../../base/python/methods/bind.ts'
import { typeError } from '../../../../base/python/python-error.ts'
import { notUnderstood } from '../../../../base/python/syntax/import-error.ts'
import type { Kwargs, Value } from '../../../../base/python/values/value.ts'
import { binaryF1, mean } from '../../metric/aggregations.ts'
import { type Average, accuracy, f1Score, type Labelled, matthewsCorrelation } from '../../metric/classification.ts'
import { huggingFaceMetric } from '../../metric/hugging-face.ts'

/** Right and given labels side by side. */
function labelled(session: Session, gold: Value, predicted: Value): Labelled[] {
  const [right, given] = [itemsOf(session, gold), itemsOf(session, predicted)]
  if (right.length !== given.length) throw typeError('Found input variables with inconsistent numbers of samples')
  return right.map((one, index) => ({ gold: one, predicted: given[index]! }))
}

function f1(session: Session, args: readonly Value[], kwargs: Kwargs): Value {
  const [gold, predicted, labels, , average = 'binary'] = bind(
    'f1_score',
    ['y_true', 'y_pred', 'labels', 'pos_label', 'average', 'zero_division'],
    2,
    args,
    kwargs,
  )
  if (labels !== undefined && labels !== null) throw notUnderstood(session.at, 'f1_score with labels', 'leave labels out')
  const items = labelled(session, gold!, predicted!).map(({ gold: right, predicted: given }) => ({
    gold: plainLabel(right),
    predicted: plainLabel(given),
  }))
  if (average === null) throw notUnderstood(session.at, 'f1_score of each label', 'use average="macro"')
  return pyFloat(average === 'binary' ? binaryF1(items) : f1Score(items, textOf(average) as Average))
}

/** Truth values are labels 0 and 1. */
function plainLabel(value: Value): Value {
  return typeof value === 'boolean' ? Number(value) : value
}

/** What tasks use of scikit-learn. */
export const sklearnMetrics = defineModule('sklearn.metrics', {
  f1_score: native('f1_score', f1),
  accuracy_score: native('accuracy_score', (session, [gold, predicted]) => pyFloat(accuracy(labelled(session, gold!, predicted!)))),
  matthews_corrcoef: native('matthews_corrcoef', (session, [gold, predicted]) =>
    pyFloat(matthewsCorrelation(labelled(session, gold!, predicted!))),
  ),
})

export const sklearn = defineModule('sklearn', { metrics: sklearnMetrics })

/** Pairs of a right and a given label. */
function pairs(session: Session, items: Value): Labelled[] {
  return itemsOf(session, items).map((item) => {
    const [gold, predicted] = itemsOf(session, item)
    return { gold: gold!, predicted: predicted! }
  })
}

/** A metric of Hugging Face's `evaluate`. */
class MetricValue extends NativeObject {
  readonly typeName = 'EvaluationModule'

  constructor(readonly name: string) {
    super()
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name !== 'compute') return undefined
    return native(name, (session, __, kwargs) => {
      const { references, predictions, ...options } = Object.fromEntries(kwargs ?? [])
      const run = huggingFaceMetric(this.name, new Map(Object.entries(options)), this.name)
      const found = run(labelled(session, references!, predictions!).map(({ gold, predicted }) => [gold, predicted] as const))
      return newDict(
        session,
        Object.entries(found).map(([key, value]) => [key, pyFloat(value)] as const),
      ) as unknown as Value
    })
  }
}

export const evaluate = defineModule('evaluate', { load: native('load', (_, [name]) => new MetricValue(textOf(name))) })

/** What tasks use of the harness itself. */
export const lmEvalUtils = {
  weighted_f1_score: native('weighted_f1_score', (session, [items]) => pyFloat(f1Score(pairs(session, items!), 'weighted'))),
}

export const lmEvalMetrics = defineModule('lm_eval.api.metrics', {
  mean: native('mean', (session, [items]) => pyFloat(mean(itemsOf(session, items!).map((item) => numberOf(item))))),
  metric_max_over_ground_truths: native('metric_max_over_ground_truths', (session, [run, prediction, truths], _, scope) => {
    const scores = itemsOf(session, truths!).map((truth) => callNumber(session, run!, [prediction!, truth], scope))
    return pyFloat(Math.max(...scores))
  }),
})

function callNumber(session: Session, run: Value, args: readonly Value[], scope: Parameters<Parameters<typeof native>[1]>[3]): number {
  return numberOf(call(session, run, args, undefined, scope))
}
