import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { entriesOf, isDictValue, isListValue, type Value } from '@rolecall/core/internal/python'
import { withoutNumpy } from '../../../python/interpreter/modules/numpy-scalar.ts'
import { ownMethod } from '../task/class-config.ts'
import type { MetricConfig, OutputType, TaskConfig } from '../task/task-config.ts'
import type { FindFunction, TaskFunction } from '../task/task-function.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { type Aggregation, aggregations, type Figure, numberOf } from './aggregations.ts'
import { huggingFaceMetric } from './hugging-face.ts'

/** A metric of a task: how it measures a document, how documents are aggregated, and which direction is better. */
export type TaskMetric = {
  name: string
  /** A function of the task that measures a document. */
  run?: TaskFunction
  /** A metric of Hugging Face's `evaluate`. */
  evaluate?: (pairs: readonly (readonly [gold: Value, reply: Value])[]) => Readonly<Record<string, number>>
  options: ReadonlyMap<string, Value>
  aggregation: Aggregation
  /** Null if the metric is unknown and the task does not set it. */
  higherIsBetter: Value
}

/** The metrics of a task with their defaults. Unknown names are errors, unless a function measures documents. */
export function metricsOfTask(config: TaskConfig, find: FindFunction): TaskMetric[] {
  if (config.own) return ownMetrics(config, find)
  if (config.metrics === undefined)
    return defaultMetrics[config.outputType].map((name) => {
      const { aggregation, higherIsBetter } = knownMetrics[name]!
      return { name, options: new Map(), aggregation: aggregations[aggregation]!, higherIsBetter }
    })
  return config.metrics.map((given) => metricOf(given, config, find))
}

/** The metrics of a task that is a class: what its `aggregation()` and `higher_is_better()` return. */
function ownMetrics(config: TaskConfig, find: FindFunction): TaskMetric[] {
  const aggregate = find(ownMethod(config, 'aggregation'))
  const directions = entriesAt(find(ownMethod(config, 'higher_is_better')).call([]))
  return entriesAt(aggregate.call([])).map(([key]): TaskMetric => {
    const name = String(key)
    return {
      name,
      options: new Map(),
      aggregation: functionAggregation((items) => aggregate.callEntry(name, [[...items]])),
      higherIsBetter: directions.find(([one]) => one === key)?.[1] ?? null,
    }
  })
}

function entriesAt(value: Value): readonly (readonly [Value, Value])[] {
  return isDictValue(value) ? entriesOf(value) : []
}

function metricOf(given: MetricConfig, config: TaskConfig, find: FindFunction): TaskMetric {
  const { metric, options, where } = given
  const run = metric instanceof FunctionMark ? find(metric) : undefined
  const name = run?.name ?? (metric as string)
  const known = Object.hasOwn(knownMetrics, name) ? knownMetrics[name] : undefined
  const measuredElsewhere = run !== undefined || config.processResults !== undefined
  const evaluate = measuredElsewhere || (known !== undefined && !given.isHuggingFace) ? undefined : huggingFaceMetric(name, options, where)
  return {
    name,
    ...(run === undefined ? {} : { run }),
    ...(evaluate === undefined ? {} : { evaluate }),
    options,
    aggregation: aggregationOf(given, known?.aggregation, find),
    higherIsBetter: given.higherIsBetter === undefined ? (known?.higherIsBetter ?? null) : given.higherIsBetter,
  }
}

function aggregationOf({ aggregation, where }: MetricConfig, byDefault: string | undefined, find: FindFunction): Aggregation {
  if (aggregation instanceof FunctionMark) {
    const run = find(aggregation)
    return functionAggregation((items) => run.call([[...items]]))
  }
  const name = aggregation ?? byDefault
  const found = name !== undefined && Object.hasOwn(aggregations, name) ? aggregations[name] : undefined
  if (found !== undefined) return found
  throw new PromptError('unknown-aggregation', {
    where: `${where}.aggregation`,
    problem: name === undefined ? 'the metric has no default' : `there is no "${name}"`,
    fix: name === undefined ? `set one of: ${Object.keys(aggregations).join(', ')}` : suggestName(name, Object.keys(aggregations)),
  })
}

/** A function over the values of all documents. */
function functionAggregation(run: (items: readonly Value[]) => Value): Aggregation {
  const figureOf = (items: readonly Value[]): Figure => {
    const value = withoutNumpy(run(items))
    if (isDictValue(value)) return value
    return numberOf(isListValue(value) && value.length === 1 ? value[0]! : value)
  }
  return {
    over: (items) => ({
      figure: () => figureOf(items),
      ofDrawn(random) {
        const drawn = figureOf(random.choices(items, items.length))
        return typeof drawn === 'number' ? drawn : Number.NaN
      },
    }),
  }
}

/** A metric of lm-evaluation-harness. */
type KnownMetric = { aggregation: string; higherIsBetter: boolean }

const knownMetrics: Readonly<Record<string, KnownMetric>> = {
  acc: { aggregation: 'mean', higherIsBetter: true },
  acc_norm: { aggregation: 'mean', higherIsBetter: true },
  acc_bytes: { aggregation: 'mean', higherIsBetter: true },
  acc_mutual_info: { aggregation: 'mean', higherIsBetter: true },
  exact_match: { aggregation: 'mean', higherIsBetter: true },
  brier_score: { aggregation: 'brier_score', higherIsBetter: false },
  likelihood: { aggregation: 'mean', higherIsBetter: true },
  f1: { aggregation: 'f1', higherIsBetter: true },
  mcc: { aggregation: 'matthews_corrcoef', higherIsBetter: true },
  perplexity: { aggregation: 'perplexity', higherIsBetter: false },
  word_perplexity: { aggregation: 'weighted_perplexity', higherIsBetter: false },
  byte_perplexity: { aggregation: 'weighted_perplexity', higherIsBetter: false },
  bits_per_byte: { aggregation: 'bits_per_byte', higherIsBetter: false },
  bleu: { aggregation: 'bleu', higherIsBetter: true },
  chrf: { aggregation: 'chrf', higherIsBetter: true },
  'chrf++': { aggregation: 'chrf++', higherIsBetter: true },
  ter: { aggregation: 'ter', higherIsBetter: false },
  bypass: { aggregation: 'bypass', higherIsBetter: true },
}

/** The default metrics of a task that names none. */
const defaultMetrics: Readonly<Record<OutputType, readonly string[]>> = {
  multiple_choice: ['acc', 'acc_norm'],
  generate_until: ['exact_match'],
  loglikelihood: ['perplexity', 'acc'],
  loglikelihood_rolling: ['word_perplexity', 'byte_perplexity', 'bits_per_byte'],
}
