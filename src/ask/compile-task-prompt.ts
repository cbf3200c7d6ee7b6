import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { quirksOf } from '../config/quirks.ts'
import type { TaskSpec } from '../lm-eval/dataset/task-spec.ts'
import { compilePrompt } from '../prompt/compile-prompt.ts'
import type { PromptMaker } from '../prompt/prompt-maker.ts'
import { taskPrompts } from './task-prompts.ts'

/** Like `compilePrompt`, for datasets that may be tasks of lm-evaluation-harness. */
export function compileTaskPrompt(model: ModelConfig, dataset: DatasetConfig): PromptMaker {
  if (dataset.lm_eval === undefined) return compilePrompt(model, dataset)
  return taskPrompts(model, dataset.lm_eval as unknown as TaskSpec, quirksOf(dataset.compat))
}
