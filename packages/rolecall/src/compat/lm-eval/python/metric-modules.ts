import type { Value } from '@rolecall/core/internal/python'
import { notUnderstood, pyFloat, valueError } from '@rolecall/core/internal/python'
import { bootstrapMedians, type RougeType, rougeScore, rougeTokenize, rougeTypes } from '../../../evaluation/score/evaluate/rouge.ts'
import { call } from '../../../python/interpreter/call.ts'
import { itemsOf, newDict } from '../../../python/interpreter/containers.ts'
import { defineModule, native, numberOf, textOf } from '../../../python/interpreter/modules/define-module.ts'
import { silent } from '../../../python/interpreter/modules/silent-modules.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NativeObject } from '../../../python/interpreter/values.ts'
import { rougeStems } from '../../opencompass/evaluators/science/porter-stem.ts'
import { mean } from '../metric/aggregations.ts'
import { f1Score, type Labelled } from '../metric/classification.ts'
import { huggingFaceMetric, isHuggingFaceMetric } from '../metric/hugging-face.ts'
import { computeCodeEval } from './code-eval.ts'
import { averaged, labelled } from './sklearn-modules.ts'
import { computeSquad } from './squad-metric.ts'
import { computeBleu, NetworkMetric, networkMetrics } from './text-metrics.ts'

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

  constructor(
    readonly name: string,
    readonly seed: number,
  ) {
    super()
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name !== 'compute') return undefined
    return native('compute(*, references=None, predictions=None, **kwargs)', (session, __, kwargs) => {
      if (this.name === 'code_eval') return computeCodeEval(session, kwargs)
      const { references, predictions, ...options } = Object.fromEntries(kwargs ?? [])
      if (this.name === 'bleu') return computeBleu(session, references!, predictions!, options)
      if (this.name === 'rouge') return computeRouge(session, references!, predictions!, options, this.seed)
      if (this.name === 'squad_v2') return computeSquad(session, references!, predictions!)
      if (this.name === 'f1' && (options.labels !== undefined || options.average === null))
        return newDict(session, [['f1', averaged(session, 'f1', [references!, predictions!], new Map(Object.entries(options)))]])
      const run = huggingFaceMetric(this.name, new Map(Object.entries(options)), this.name)
      const found = run(labelled(session, references!, predictions!).map(({ gold, predicted }) => [gold, predicted] as const))
      // The only one of these whose result is a number.
      if (this.name === 'wer') return pyFloat(found.wer!)
      return newDict(
        session,
        Object.entries(found).map(([key, value]) => [key, pyFloat(value)] as const),
      )
    })
  }
}

/** Metrics of `evaluate` that do not compare labels. */
const otherMetrics: ReadonlySet<string> = new Set(['bleu', 'code_eval', 'rouge', 'squad_v2'])

/** `evaluate`; its metrics are computed with numpy's seed, which is that of lm-evaluation-harness by default. */
export const makeEvaluate = (seed = 1234) =>
  defineModule('evaluate', {
    load: native('load(path, *args, **kwargs)', (session, [path]) => {
      // A copy of the metric's own file has its name.
      const name = /^(?:.*\/)?hf_metrics\/(\w+)\.py$/.exec(textOf(path))?.[1] ?? path
      if (networkMetrics.includes(textOf(name))) return new NetworkMetric(textOf(name))
      if (!otherMetrics.has(textOf(name)) && !isHuggingFaceMetric(textOf(name)))
        throw notUnderstood(session.at, `evaluate.load("${textOf(name)}")`, 'use another metric')
      return new MetricValue(textOf(name), seed)
    }),
  })

/** `rouge`: the F-measures by type; of several replies, the median of resampled means. */
function computeRouge(
  session: Session,
  references: Value,
  predictions: Value,
  options: Readonly<Record<string, Value>>,
  seed: number,
): Value {
  const replies = itemsOf(session, predictions).map(textOf)
  const golds = itemsOf(session, references).map((one) => (typeof one === 'string' ? [one] : itemsOf(session, one).map(textOf)))
  const [other] = Object.keys(options).filter((name) => name !== 'use_stemmer')
  if (replies.length !== golds.length || replies.length === 0 || other !== undefined)
    throw notUnderstood(
      session.at,
      other === undefined ? 'rouge of other than a gold answer a reply' : `"${other}" of rouge`,
      'use rouge_score',
    )
  const tokenize = options.use_stemmer === true ? rougeStems : rougeTokenize
  const best = replies.map((reply, index) => {
    const scores = golds[index]!.map((gold) => {
      session.step(gold.length + reply.length)
      return rougeScore(reply, gold, tokenize)
    })
    return Object.fromEntries(rougeTypes.map((type) => [type, Math.max(...scores.map((one) => one[type].f))])) as Record<RougeType, number>
  })
  session.step(best.length * rougeTypes.length)
  const medians = best.length === 1 ? best[0]! : bootstrapMedians(best, seed)
  return newDict(
    session,
    rougeTypes.map((type) => [type, pyFloat(medians[type])] as const),
  )
}

/** The part of the harness that tasks use. */
export const lmEvalUtils = {
  weighted_f1_score: native('weighted_f1_score(items)', (session, [items]) => pyFloat(f1Score(pairs(session, items!), 'weighted'))),
}

export const lmEvalMetrics = defineModule('lm_eval.api.metrics', {
  mean: native('mean(arr)', (session, [items]) => pyFloat(mean(itemsOf(session, items!).map((item) => numberOf(item))))),
  metric_max_over_ground_truths: native(
    'metric_max_over_ground_truths(metric_fn, prediction, ground_truths)',
    (session, [run, prediction, truths], _, scope) => {
      const scores = itemsOf(session, truths!).map((truth) => call(session, run!, [prediction!, truth], undefined, scope))
      if (scores.length === 0) throw valueError('max() arg is an empty sequence')
      return scores.reduce((best, score) => (numberOf(score) > numberOf(best) ? score : best))
    },
  ),
})

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
