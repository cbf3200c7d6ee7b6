import { PromptError } from '@rolecall/core/internal/errors'
import type { PublishedPair, PublishedRun } from './published-run.ts'

/** A benchmark as the hub knows it: the id of its dataset, and the id of a task in the `eval.yaml` of that dataset. */
export type HubBenchmark = { id: string; task: string }

/**
 * Reads `DATASET=ORG/NAME:TASK`, e.g. `gsm8k=openai/gsm8k:gsm8k`.
 *
 * @example readHubBenchmark('sums=acme/sums:default') // => ['sums', { id: 'acme/sums', task: 'default' }]
 */
export function readHubBenchmark(text: string): [dataset: string, benchmark: HubBenchmark] {
  const found = /^(?<dataset>[^=]+)=(?<id>[^/:=]+\/[^/:=]+):(?<task>[^:=]+)$/.exec(text)
  if (found === null) {
    throw new PromptError('bad-value', {
      where: '--benchmark',
      problem: `"${text}" does not name a benchmark of the hub`,
      fix: "write DATASET=ORG/NAME:TASK, e.g. gsm8k=openai/gsm8k:gsm8k; TASK is an id in the eval.yaml of the hub's dataset",
    })
  }
  const { dataset, id, task } = found.groups as { dataset: string; id: string; task: string }
  return [dataset, { id, task }]
}

/** The value of a `.eval_results/*.yaml` file of a model repository: a list with one entry. */
export function hubEvalResults({ result }: PublishedPair, { started, version }: PublishedRun, { id, task }: HubBenchmark) {
  const { value, unit, metric, rows, failed, answers, interval } = result
  if (value === undefined) return undefined
  const shown = interval ? `, 95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}` : ''
  const format = result.format === undefined ? '' : `, format ${result.format}`
  return [
    {
      dataset: { id, task_id: task },
      value: Number(value.toFixed(4)),
      date: started.slice(0, 10),
      notes: `${metric} (${unit}) over ${rows - failed - (answers.noGold ?? 0)} rows${shown}${format}; Rolecall ${version}`,
    },
  ]
}
