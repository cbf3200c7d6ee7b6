import {
  equals,
  isNumber,
  type Kwargs,
  notUnderstood,
  PythonError,
  plainNumber,
  pyFloat,
  typeError,
  type Value,
} from '@rolecall/core/internal/python'
import { itemsOf } from '../../../python/interpreter/containers.ts'
import { defineModule, native, numberOf, textOf } from '../../../python/interpreter/modules/define-module.ts'
import { numpyMean, numpySum } from '../../../python/interpreter/modules/numpy-sum.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NativeObject } from '../../../python/interpreter/values.ts'
import { binaryF1 } from '../metric/aggregations.ts'
import { type Average, accuracy, f1Score, type Labelled, labelScores, labelsOf, matthewsCorrelation } from '../metric/classification.ts'

/** Pairs of right and predicted labels. */
export function labelled(session: Session, gold: Value, predicted: Value): Labelled[] {
  const [right, given] = [itemsOf(session, gold), itemsOf(session, predicted)]
  if (right.length !== given.length) throw typeError('Found input variables with inconsistent numbers of samples')
  return right.map((one, index) => ({ gold: plainNumber(one), predicted: plainNumber(given[index]!) }))
}

type Score = 'f1' | 'precision' | 'recall'

/** `f1_score`, `precision_score` and `recall_score`. */
const scoreOf = (score: Score) =>
  native(`${score}_score(y_true, y_pred, *, labels=None, pos_label=1, average=None, zero_division=0)`, (session, given, kwargs) =>
    averaged(session, score, given, kwargs),
  )

export function averaged(session: Session, score: Score, [gold, predicted]: readonly Value[], kwargs: Kwargs): Value {
  const { labels = null, pos_label: positive = 1, average = 'binary', zero_division: empty = 0 } = Object.fromEntries(kwargs ?? [])
  const refuse = (option: string, fix: string) => notUnderstood(session.at, `${score}_score with ${option}`, fix)
  if (average === 'binary' && positive !== 1) throw refuse('this pos_label', 'leave pos_label out')
  if (empty !== 'warn' && numberOf(empty) !== 0) throw refuse('this zero_division', 'leave zero_division out')
  const items = labelled(session, gold!, predicted!).map(({ gold: right, predicted: said }) => ({
    gold: plainLabel(right),
    predicted: plainLabel(said),
  }))
  session.step(items.length)
  const only = labels === null ? undefined : itemsOf(session, labels).map(plainLabel)
  if (average === null) {
    const all = only ?? sortedLabels(items)
    session.step(items.length * all.length)
    return labelScores(items, all).map((one) => pyFloat(one[score]))
  }
  if (only !== undefined && average !== 'macro') throw refuse('labels and without average="macro"', 'leave labels out')
  if (score !== 'f1') {
    const labels = only ?? sortedLabels(items)
    const scores = labelScores(items, labels).map((one) => one[score])
    if (average === 'macro') return pyFloat(numpyMean(scores))
    session.step(items.length * labels.length)
    const counts = labels.map((label) => items.filter(({ gold: right }) => equals(right, label)).length)
    const right = items.filter(({ gold: one, predicted: other }) => equals(one, other)).length
    // With every label counted, the share of right ones is both precision and recall.
    if (average === 'micro') return pyFloat(items.length === 0 ? 0 : right / items.length)
    if (average === 'weighted') return pyFloat(items.length === 0 ? 0 : numpySum(scores.map((one, at) => one * counts[at]!)) / items.length)
    if (average !== 'binary') throw refuse('this average', 'use None, "binary", "micro", "macro" or "weighted"')
    if (!labels.every((label) => equals(label, 0) || equals(label, 1)))
      throw new PythonError('ValueError', "Target is multiclass but average='binary'. Please choose another average setting.")
    return pyFloat(scores[labels.findIndex((label) => equals(label, 1))] ?? 0)
  }
  return pyFloat(average === 'binary' ? binaryF1(items) : f1Score(items, textOf(average) as Average, only))
}

/** Booleans are labels 0 and 1. */
function plainLabel(value: Value): Value {
  return typeof value === 'boolean' ? Number(value) : value
}

/** The labels, in their order; scikit-learn cannot mix numbers and texts. */
function sortedLabels(items: readonly Labelled[]): Value[] {
  const labels = labelsOf(items)
  if (labels.every((label) => typeof label === 'string') || labels.every((label) => isNumber(label))) return labels
  throw new PythonError('ValueError', 'Mix of label input types (string and number)')
}

/** The part of scikit-learn that tasks use. */
export const sklearnMetrics = defineModule('sklearn.metrics', {
  f1_score: scoreOf('f1'),
  precision_score: scoreOf('precision'),
  recall_score: scoreOf('recall'),
  fbeta_score: native(
    'fbeta_score(y_true, y_pred, *, beta, labels=None, pos_label=1, average=None, zero_division=0)',
    (session, given, kwargs) => {
      if (Number(kwargs?.get('beta') ?? 1) !== 1) throw notUnderstood(session.at, 'fbeta_score with this beta', 'use beta=1')
      return averaged(session, 'f1', given, new Map([...(kwargs ?? [])].filter(([name]) => name !== 'beta')))
    },
  ),
  accuracy_score: native('accuracy_score(y_true, y_pred)', (session, [gold, predicted]) =>
    pyFloat(accuracy(labelled(session, gold!, predicted!))),
  ),
  matthews_corrcoef: native('matthews_corrcoef(y_true, y_pred)', (session, [gold, predicted]) =>
    pyFloat(matthewsCorrelation(labelled(session, gold!, predicted!))),
  ),
})

const sklearn = defineModule('sklearn', { metrics: sklearnMetrics })

/** The part of `scipy.stats` that tasks use. */
const scipyStats = defineModule('scipy.stats', {
  pearsonr: native('pearsonr(x, y)', (session, [first, second]) => {
    const numbers = [first!, second!].map((list) => itemsOf(session, list).map((item) => numberOf(item)))
    const [xs, ys] = [numbers[0]!, numbers[1]!]
    if (xs.length !== ys.length) throw new PythonError('ValueError', 'x and y must have the same length.')
    if (xs.length < 2) throw new PythonError('ValueError', 'x and y must have length at least 2.')
    session.step(xs.length)
    const [dx, dy] = [xs, ys].map(unitDeviations)
    const sum = dx!.reduce((total, x, place) => total + x * dy![place]!, 0)
    return new Correlation(Math.max(-1, Math.min(1, sum)))
  }),
})

/** What `pearsonr` returns: the correlation, and how likely it is by chance, which is not computed. */
class Correlation extends NativeObject {
  readonly typeName = 'PearsonRResult'

  constructor(readonly value: number) {
    super()
  }

  attribute(session: Session, name: string): Value {
    return name === 'statistic' ? pyFloat(this.value) : this.#lacks(session, name)
  }

  override item(session: Session, key: Value): Value {
    return key === 0 ? pyFloat(this.value) : this.#lacks(session, 'pvalue')
  }

  override items(session: Session): never {
    return this.#lacks(session, 'pvalue')
  }

  #lacks(session: Session, name: string): never {
    throw notUnderstood(session.at, `${name} of pearsonr`, 'use pearsonr(x, y)[0] or .statistic')
  }
}

/** The deviations from the mean, as a vector of length 1. */
function unitDeviations(values: readonly number[]): number[] {
  const middle = numpyMean(values)
  const deviations = values.map((value) => value - middle)
  const length = Math.sqrt(deviations.reduce((sum, one) => sum + one * one, 0))
  return deviations.map((one) => one / length)
}

export const sklearnModules = [sklearn, sklearnMetrics, scipyStats]
