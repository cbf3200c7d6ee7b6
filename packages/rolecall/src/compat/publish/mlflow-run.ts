import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { metricsOf, type PublishedPair, type PublishedRun } from './published-run.ts'

/** A run of MLflow's tracking API: one model on one dataset, without rows. */
export type MlflowRun = {
  name: string
  started: number
  params: readonly { key: string; value: string }[]
  metrics: readonly { key: string; value: number; timestamp: number; step: number }[]
  tags: readonly { key: string; value: string }[]
}

/** A model on a dataset with its settings as parameters and its scores as metrics. */
export function mlflowRun({ result, model, dataset, settings }: PublishedPair, { name, started, version }: PublishedRun): MlflowRun {
  const timestamp = Date.parse(started) || 0
  const values = metricsOf(result).flatMap(({ metric, value, interval }): [string, number | undefined][] => [
    [metric, value],
    [`${metric}/interval_low`, interval?.low],
    [`${metric}/interval_high`, interval?.high],
  ])
  const counts: [string, number | undefined][] = [
    ['rows', result.rows],
    ['failed', result.failed],
  ]
  const params: [string, unknown][] = [
    ['model', modelText(result)],
    ['model_id', model.id],
    ['dataset', result.dataset],
    ['dataset_repository', dataset.repository],
    ['prompt_version', dataset.version],
    ['mode', dataset.mode],
    ['extraction', dataset.extraction.join(', ') || undefined],
    ['unit', result.unit],
    ...Object.entries(settings),
  ]
  return {
    name: `${modelText(result)} on ${result.dataset}`,
    started: timestamp,
    params: params.flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: String(value).slice(0, longestValue) }])),
    metrics: [...values, ...counts].flatMap(([key, value]) =>
      value === undefined || !Number.isFinite(value) ? [] : [{ key: mlflowKey(key), value, timestamp, step: 0 }],
    ),
    tags: [
      { key: 'rolecall.run', value: name },
      { key: 'rolecall.version', value: version },
    ],
  }
}

/** What every store of MLflow takes. */
const longestValue = 500
const longestKey = 250

/**
 * The name of a metric with the characters that MLflow takes.
 *
 * @example
 * mlflowKey('exact_match,strict-match') // => 'exact_match_strict-match'
 */
export function mlflowKey(name: string): string {
  return name.replace(/[^\w\-. :/]/g, '_').slice(0, longestKey)
}
