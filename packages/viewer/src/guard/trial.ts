import { stringifyJson } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { RowQuestion } from 'rolecall/internal/evaluation/run/ask/inferencer'

/** What the page is about to render. The row is JSON: structured cloning would lose which numbers are floats. */
export type Trial = { model: ModelConfig; dataset: DatasetConfig; mode: 'gen' | 'ppl' | undefined; question: string }

/** Whether a model's prompts come from a chat template, which may be untrusted: configs, runs and links are shared. */
export function isForeign({ chat_template: template }: ModelConfig): boolean {
  return template !== undefined
}

export function rowTrial(
  model: ModelConfig,
  dataset: DatasetConfig,
  mode: 'gen' | 'ppl' | undefined,
  { row, examples }: RowQuestion,
): Trial {
  return { model, dataset, mode, question: stringifyJson({ row, examples }) }
}
