import { notRegistered, type PromptSourceKey, sourceKeysOf } from '@rolecall/core/internal/compile'
import type { DatasetConfig } from '../config/config-schema.ts'
import type { Evaluator } from '../score/evaluate/evaluator.ts'

/** Makes an evaluator from the value of one dataset key: the dataset defines its own metrics. */
export type DatasetEvaluator = (value: unknown, where: string) => Evaluator<unknown>

const registered = new Map<PromptSourceKey, DatasetEvaluator>()

export function registerDatasetEvaluator(key: PromptSourceKey, make: DatasetEvaluator): void {
  registered.set(key, make)
}

/** The evaluator of a dataset that defines its own metrics; undefined if `eval_cfg` defines them. */
export function datasetEvaluator(dataset: DatasetConfig, where: string): Evaluator<unknown> | undefined {
  const [key] = sourceKeysOf(dataset)
  if (key === undefined) return undefined
  const make = registered.get(key)
  if (!make) throw notRegistered(key, where)
  return make(dataset[key], where)
}
