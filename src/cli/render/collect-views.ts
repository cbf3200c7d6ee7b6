import { checkConfig } from '../../config/check-config.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { suggestName } from '../../config/nearest.ts'
import { presets } from '../../format/presets/index.ts'
import { chooseTemplate, loadChatTemplate } from '../../node/load-chat-template.ts'
import { findConfig, type LoadedConfig, loadConfig } from '../../node/load-config.ts'
import { PromptError } from '../../prompt-error.ts'
import { rowsOf } from './dataset-rows.ts'
import { exampleConfig } from './example-config.ts'
import { parseRows, selectByName } from './select.ts'
import { type View, type ViewOptions, viewFormat, viewRows } from './view.ts'

/** Which prompts to look at: the flags that `render` and `tokens` share. */
export type ViewSelection = ViewOptions & { models?: string; datasets?: string; rows: string; format?: string; chatTemplate?: string }

/** The config that is named or found, else the shipped example (which has no file). */
export async function loadOrExample(config: string | undefined): Promise<LoadedConfig> {
  const file = config ?? findConfig(process.cwd())
  if (file !== undefined) return loadConfig(file)
  return { file: '', folder: process.cwd(), config: checkConfig(exampleConfig, 'the shipped example › ') }
}

/** The prompts of all chosen models, datasets and rows. */
export async function viewAll({ config, folder }: LoadedConfig, options: ViewSelection): Promise<View[]> {
  const chosen: ModelConfig[] = selectByName(config.models as ModelConfig[], options.models, '--models')
  if (options.format !== undefined && !Object.hasOwn(presets, options.format)) {
    throw new PromptError('unknown-format', {
      where: '--format',
      problem: `there is no format "${options.format}"`,
      fix: suggestName(options.format, Object.keys(presets)),
    })
  }
  const formatted = options.format === undefined ? chosen : inFormat(chosen, options.format)
  const models = options.chatTemplate === undefined ? formatted : inChatTemplate(chosen, options.chatTemplate)
  if (models.length === 0)
    throw new PromptError('missing', { where: 'models', problem: 'the config has no models', fix: 'add one, or use --format chatml' })
  const datasets: DatasetConfig[] = selectByName(config.datasets as DatasetConfig[], options.datasets, '--datasets')
  if (datasets.length === 0) return models.flatMap((model) => viewFormat(model, options.mode))
  const numbers = parseRows(options.rows)
  const views: View[] = []
  for (const dataset of datasets) {
    const { rows, examples } = await rowsOf(dataset, numbers, folder)
    for (const model of models) views.push(...viewRows(model, dataset, rows, examples, { ...options, folder }))
  }
  return views
}

function inChatTemplate(models: readonly ModelConfig[], path: string): ModelConfig[] {
  const loaded = loadChatTemplate(path)
  const chat = { chat_template: chooseTemplate(loaded), special_tokens: { ...loaded.specialTokens } }
  const rewritten = models.map(({ meta_template: _, is_api: __, format: ___, ...model }) => ({
    ...model,
    ...chat,
    abbr: `${model.abbr ?? 'model'} as ${path}`,
  }))
  return rewritten.length > 0 ? rewritten : [{ abbr: path, ...chat }]
}

function inFormat(models: readonly ModelConfig[], format: string): ModelConfig[] {
  const rewritten = models.map(({ meta_template: _, is_api: __, ...model }) => ({
    ...model,
    format,
    abbr: `${model.abbr ?? 'model'} as ${format}`,
  }))
  return rewritten.length > 0 ? rewritten : [{ abbr: format, format }]
}
