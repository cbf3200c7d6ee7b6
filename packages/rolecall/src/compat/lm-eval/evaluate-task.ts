import type { Value } from '@rolecall/core/internal/python'
import { withoutNumpy } from '../../python/interpreter/modules/numpy-scalar.ts'
import { pipelinesOf } from './filter/apply-filters.ts'
import { type Aggregation, aggregations, type Figure } from './metric/aggregations.ts'
import { type Measures, measure } from './metric/measure.ts'
import { standardError } from './metric/standard-error.ts'
import { metricsOfTask, type TaskMetric } from './metric/task-metrics.ts'
import type { Doc } from './task/field.ts'
import type { Task } from './task/task.ts'

/** The replies to a request: texts, pairs of log-likelihood and whether the text is greedy, or one log-likelihood. */
export type AnsweredRequest = { doc: number; replies: readonly Value[] }

/** The filtered and measured replies to one document. */
export type TaskSample = { doc: number; filter: string; target: Value; filtered: readonly Value[]; measures: Measures }

/** The samples of a task and its metrics. */
export type TaskResults = {
  samples: TaskSample[]
  /** `"metric,filter"` → value, or a dict of values, `"metric_stderr,filter"` → its standard error or "N/A", `sample_len`. */
  figures: Record<string, Figure | string>
  higherIsBetter: Record<string, Value>
}

/** The number of resamples in lm-evaluation-harness for standard errors that have no formula. */
export const defaultResamples = 100_000

/** Reads the replies to a task's requests as lm-evaluation-harness does. */
export function evaluateTask(task: Task, answered: readonly AnsweredRequest[], resamples = defaultResamples): TaskResults {
  const { config, docs, find, asked } = task
  const metrics = metricsOfTask(config, find)
  const process = config.processResults && find(config.processResults)
  const samples: TaskSample[] = []
  for (const pipeline of pipelinesOf(config.filters, config.where, find)) {
    const filtered = pipeline.apply(answered.map(({ doc, replies }) => ({ doc: docs[doc]!, replies })))
    for (const [number, own] of byDocument(answered, filtered)) {
      const doc: Doc = docs[number]!
      const measures = measure(task, metrics, doc, own, process)
      samples.push({ doc: number, filter: pipeline.name, target: asked.target(doc), filtered: own, measures })
    }
  }
  return {
    samples,
    figures: metricValues(samples, metrics, resamples),
    higherIsBetter: Object.fromEntries(metrics.map(({ name, higherIsBetter }) => [name, higherIsBetter])),
  }
}

function byDocument(answered: readonly AnsweredRequest[], filtered: readonly Value[]): Map<number, Value[]> {
  const found = new Map<number, Value[]>()
  for (const [index, { doc }] of answered.entries()) {
    const known = found.get(doc)
    if (known) known.push(filtered[index]!)
    else found.set(doc, [filtered[index]!])
  }
  return found
}

/** The metrics of a task, computed from its samples. Metrics that a function defines are means. */
export function metricValues(
  samples: readonly TaskSample[],
  metrics: readonly TaskMetric[],
  resamples: number,
  compute: (name: string, run: () => Figure) => Figure = (_, run) => run(),
): TaskResults['figures'] {
  const items = valuesByMetric(samples)
  // As in the harness, a function may give the last metric to a part of the documents only.
  const figures: TaskResults['figures'] = { sample_len: [...items.values()].at(-1)?.values.length ?? 0 }
  for (const [key, { metric, filter, values }] of items) {
    const aggregation = aggregationOf(metrics, metric)
    figures[key] = compute(key, () => aggregation.over(values).figure())
    figures[`${metric}_stderr,${filter}`] = standardError(metric, values, aggregation, resamples) ?? 'N/A'
  }
  return figures
}

/** What aggregates the samples with some metrics: a run for each `"metric,filter"`. */
export function aggregationRuns(samples: readonly TaskSample[], metrics: readonly TaskMetric[]): Map<string, () => unknown> {
  const found = [...valuesByMetric(samples)].filter(([, { metric }]) => metrics.some(({ name }) => name === metric))
  return new Map(found.map(([key, { metric, values }]) => [key, () => aggregationOf(metrics, metric).over(values).figure()]))
}

function aggregationOf(metrics: readonly TaskMetric[], name: string): Aggregation {
  return metrics.find((metric) => metric.name === name)?.aggregation ?? aggregations.mean!
}

type MetricItems = { metric: string; filter: string; values: Value[] }

function valuesByMetric(samples: readonly TaskSample[]): Map<string, MetricItems> {
  const items = new Map<string, MetricItems>()
  for (const { filter, measures } of samples)
    for (const [metric, measured] of measures) {
      const value = withoutNumpy(measured)
      const key = `${metric},${filter}`
      const known = items.get(key)
      if (known) known.values.push(value)
      else items.set(key, { metric, filter, values: [value] })
    }
  return items
}
