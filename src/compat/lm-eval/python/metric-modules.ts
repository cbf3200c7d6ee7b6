import { pyFloat } from '../../../base/python/index.ts'
import { call } from '../../../base/python/interpreter/call.ts'
import { itemsOf, newDict } from '../../../base/python/interpreter/containers.ts'
import { defineModule, native, numberOf, textOf } from '../../../base/python/interpreter/modules/define-module.ts'
import { silent } from '../../../base/python/interpreter/modules/silent-modules.ts'
import type { Session } from '../../../base/python/interpreter/session.ts'
import { NativeObject } from '../../../base/python/interpreter/values.ts'
import { typeError } from '../../../base/python/python-error.ts'
import { notUnderstood } from '../../../base/python/syntax/import-error.ts'
import type { Kwargs, Value } from '../../../base/python/values/value.ts'
import { binaryF1, mean } from '../metric/aggregations.ts'
import { type Average, accuracy, f1Score, type Labelled, matthewsCorrelation } from '../metric/classification.ts'
import { huggingFaceMetric } from '../metric/hugging-face.ts'
import { computeCodeEval } from './code-eval.ts'

/** Pairs of right and predicted labels. */
function labelled(session: Session, gold: Value, predicted: Value): Labelled[] {
  const [right, given] = [itemsOf(session, gold), itemsOf(session, predicted)]
  if (right.length !== given.length) throw typeError('Found input variables with inconsistent numbers of samples')
  return right.map((one, index) => ({ gold: one, predicted: given[index]! }))
}

function f1(session: Session, [gold, predicted]: readonly Value[], kwargs: Kwargs): Value {
  const { labels = null, pos_label: positive = 1, average = 'binary', zero_division: empty = 0 } = Object.fromEntries(kwargs ?? [])
  if (average === 'binary' && positive !== 1) throw notUnderstood(session.at, 'f1_score with this pos_label', 'leave pos_label out')
  if (empty !== 'warn' && numberOf(empty) !== 0)
    throw notUnderstood(session.at, 'f1_score with this zero_division', 'leave zero_division out')
  const items = labelled(session, gold!, predicted!).map(({ gold: right, predicted: given }) => ({
    gold: plainLabel(right),
    predicted: plainLabel(given),
  }))
  const only = labels === null ? undefined : itemsOf(session, labels).map(plainLabel)
  if (only !== undefined && average !== 'macro')
    throw notUnderstood(session.at, 'f1_score with labels and without average="macro"', 'leave labels out')
  if (average === null) throw notUnderstood(session.at, 'f1_score of each label', 'use average="macro"')
  return pyFloat(average === 'binary' ? binaryF1(items) : f1Score(items, textOf(average) as Average, only))
}

/** Booleans are labels 0 and 1. */
function plainLabel(value: Value): Value {
  return typeof value === 'boolean' ? Number(value) : value
}

/** The part of scikit-learn that tasks use. */
export const sklearnMetrics = defineModule('sklearn.metrics', {
  f1_score: native('f1_score(y_true, y_pred, *, labels=None, pos_label=1, average=None, zero_division=0)', f1),
  fbeta_score: native(
    'fbeta_score(y_true, y_pred, *, beta, labels=None, pos_label=1, average=None, zero_division=0)',
    (session, args, kwargs) => {
      if (Number(kwargs?.get('beta') ?? 1) !== 1) throw notUnderstood(session.at, 'fbeta_score with this beta', 'use beta=1')
      return f1(session, args, new Map([...(kwargs ?? [])].filter(([name]) => name !== 'beta')))
    },
  ),
  accuracy_score: native('accuracy_score(y_true, y_pred)', (session, [gold, predicted]) =>
    pyFloat(accuracy(labelled(session, gold!, predicted!))),
  ),
  matthews_corrcoef: native('matthews_corrcoef(y_true, y_pred)', (session, [gold, predicted]) =>
    pyFloat(matthewsCorrelation(labelled(session, gold!, predicted!))),
  ),
})

export const sklearn = defineModule('sklearn', { metrics: sklearnMetrics })

/** Pairs of a right and a predicted label. */
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
    return native('compute(*, references=None, predictions=None, **kwargs)', (session, __, kwargs) => {
      if (this.name === 'code_eval') return computeCodeEval(session, kwargs)
      const { references, predictions, ...options } = Object.fromEntries(kwargs ?? [])
      const run = huggingFaceMetric(this.name, new Map(Object.entries(options)), this.name)
      const found = run(labelled(session, references!, predictions!).map(({ gold, predicted }) => [gold, predicted] as const))
      return newDict(
        session,
        Object.entries(found).map(([key, value]) => [key, pyFloat(value)] as const),
      )
    })
  }
}

export const evaluate = defineModule('evaluate', { load: native('load(path)', (_, [name]) => new MetricValue(textOf(name))) })

/** The part of the harness that tasks use. */
export const lmEvalUtils = {
  weighted_f1_score: native('weighted_f1_score(items)', (session, [items]) => pyFloat(f1Score(pairs(session, items!), 'weighted'))),
}

export const lmEvalMetrics = defineModule('lm_eval.api.metrics', {
  mean: native('mean(arr)', (session, [items]) => pyFloat(mean(itemsOf(session, items!).map((item) => numberOf(item))))),
  metric_max_over_ground_truths: native(
    'metric_max_over_ground_truths(metric_fn, prediction, ground_truths)',
    (session, [run, prediction, truths], _, scope) => {
      const scores = itemsOf(session, truths!).map((truth) => callNumber(session, run!, [prediction!, truth], scope))
      return pyFloat(Math.max(...scores))
    },
  ),
})

function callNumber(session: Session, run: Value, args: readonly Value[], scope: Parameters<Parameters<typeof native>[1]>[3]): number {
  return numberOf(call(session, run, args, undefined, scope))
}

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

/** Words and punctuation marks as they are written, from text in which they are separated. */
function detokenize(text: string): string {
  const joined = [
    [" n't", "n't"],
    [' )', ')'],
    ['( ', '('],
    ['" ', '"'],
    [' "', '"'],
  ].reduce((now, [from, to]) => now.replaceAll(from!, to!), text)
  return joined.replace(/ (['.,])/g, '$1')
}

export const lmEval = defineModule('lm_eval.utils', {
  ...lmEvalUtils,
  general_detokenize: native('general_detokenize(string)', (session, [text]) => session.made(detokenize(textOf(text)))),
  eval_logger: silent,
})
