import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { quirksOf } from '../config/fidelity.ts'
import type { TaskSpec } from '../lm-eval/dataset/task-spec.ts'
import { type PromptMaker, promptMaker } from '../prompt/prompt-maker.ts'
import { inferencers } from './inferencers.ts'
import { taskPrompts } from './task-prompts.ts'

/**
 * Joins a dataset and a model: a function from a row to the exact prompt this model is sent.
 *
 * @example
 * const maker = compilePrompt(
 *   { meta_template: { round: [{ role: 'HUMAN', begin: 'USER: ', end: '\n' }, { role: 'BOT', begin: 'BOT: ', generate: true }] } },
 *   { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } } },
 * )
 * const { prompt } = maker.render({ row: { question: '1+1=?' }, mode: 'gen' })
 * promptText(prompt) // => 'USER: 1+1=?\nBOT: '
 */
export function compilePrompt(model: ModelConfig, dataset: DatasetConfig): PromptMaker {
  if (dataset.lm_eval !== undefined) return taskPrompts(model, dataset.lm_eval as unknown as TaskSpec, quirksOf(dataset.compat))
  const { inferencer } = dataset.infer_cfg
  const readsChats = inferencers[inferencer?.type?.split('.').at(-1) ?? '']?.readsChats ?? false
  return promptMaker(model, dataset, { quirks: quirksOf(dataset.compat), readsChats })
}
