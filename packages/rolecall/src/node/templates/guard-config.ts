import { withCompiler } from '@rolecall/core/internal/format'
import type { TemplateCompiler } from '@rolecall/core/internal/jinja'
import { withChangedJudge } from '../../evaluation/config/judge-of.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { isolatedTemplate } from './isolated-template.ts'

/**
 * Compiles the chat templates of models and judges with a compiler that can be interrupted: templates come with models and are
 * untrusted.
 */
export function withGuardedTemplates(loaded: LoadedConfig, compile: TemplateCompiler = isolatedTemplate): LoadedConfig {
  const { models, datasets, ...config } = loaded.config
  const guarded = <Model extends object>(model: Model) => withCompiler(model, compile)
  const judged = datasets.map((dataset) => withChangedJudge(dataset, guarded))
  return { ...loaded, config: { ...config, models: models.map(guarded), datasets: judged } }
}
