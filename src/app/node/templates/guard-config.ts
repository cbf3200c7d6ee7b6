import type { TemplateCompiler } from '../../../base/jinja/index.ts'
import { isDict } from '../../../base/python/index.ts'
import { withCompiler } from '../../../prompt/format/chat-template/compiled-by.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { isolatedTemplate } from './isolated-template.ts'

/**
 * A config whose chat templates are read and rendered where they can be stopped, those of models that judge too: nobody reads the two
 * hundred lines of a template that came with a model before it is used.
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
