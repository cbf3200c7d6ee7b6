import type { TemplateCompiler } from '../../../base/jinja/index.ts'
import { isDict } from '../../../base/python/index.ts'
import { withCompiler } from '../../../prompt/format/chat-template/compiled-by.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { isolatedTemplate } from './isolated-template.ts'

/**
 * Compiles the chat templates of models and judges with a compiler that can be interrupted: templates come with models and are
 * untrusted.
 */
export function withGuardedTemplates(loaded: LoadedConfig, compile: TemplateCompiler = isolatedTemplate): LoadedConfig {
  const { models, datasets, ...config } = loaded.config
  type Dataset = (typeof datasets)[number]
  const guarded = (dataset: Dataset): Dataset => {
    const evaluator = dataset.eval_cfg?.evaluator
    if (typeof evaluator !== 'object' || !('judge_cfg' in evaluator) || !isDict(evaluator.judge_cfg)) return dataset
    return {
      ...dataset,
      eval_cfg: { ...dataset.eval_cfg, evaluator: { ...evaluator, judge_cfg: withCompiler(evaluator.judge_cfg, compile) } },
    }
  }
  return { ...loaded, config: { ...config, models: models.map((model) => withCompiler(model, compile)), datasets: datasets.map(guarded) } }
}
