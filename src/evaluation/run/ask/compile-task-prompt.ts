import { quirksOf } from '../../../base/fidelity/quirks.ts'
import type { TaskSpec } from '../../../compat/lm-eval/dataset/task-spec.ts'
import { compilePrompt } from '../../../prompt/compile/compile-prompt.ts'
import type { PromptMaker } from '../../../prompt/compile/prompt-maker.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { taskPrompts } from '../../../compat/lm-eval/dataset/task-prompts.ts'

/** Like `compilePrompt`, for datasets that may be tasks of lm-evaluation-harness. */
export function compileTaskPrompt(model: ModelConfig, dataset: DatasetConfig): PromptMaker {
  if (dataset.lm_eval === undefined) return compilePrompt(model, dataset)
  return taskPrompts(model, dataset.lm_eval as unknown as TaskSpec, quirksOf(dataset.compat))
}
