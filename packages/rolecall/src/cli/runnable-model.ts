import { extname } from 'node:path'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { runnableType } from '../model/model-types/index.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { printWarnings } from './terminal.ts'

/**
 * A model that can run. A model with only a format (a meta template, an mlc-chat-config.json) runs as the embedded model, with a warning that
 * names the format: `format` if a flag gives one; an unsupported type is an error.
 */
export function runnableModel(model: ModelConfig, format?: string): ModelConfig {
  if (model.type === undefined) {
    const name = model.abbr ?? 'model'
    const text = `the model has no type; using the embedded model in the format ${format ?? `of "${name}"`}`
    printWarnings([{ code: 'no-type', where: name, text }])
    return { ...model, type: 'embedded' }
  }
  runnableType(model)
  return model
}

/** Whether models of a file need no type. */
export function describesFormats({ file, recognised }: Pick<LoadedConfig, 'file' | 'recognised'>): boolean {
  return recognised !== undefined || extname(file) === '.py'
}

/** The models of a config. In our own configs a model needs a type; files that only describe a format or a conversation have none. */
export function configuredModels({ file, config, recognised }: LoadedConfig, format?: string): ModelConfig[] {
  const models = config.models as ModelConfig[]
  if (models.length === 0 && config.warnings.some(({ code }) => code === 'prompt-list')) {
    const text = `no model given; using the embedded model in the format ${format ?? 'internlm2'}`
    printWarnings([{ code: 'no-model', where: file, text }])
    return [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }]
  }
  return describesFormats({ file, recognised })
    ? models.map((model) => (model.type === undefined ? runnableModel(model, format) : model))
    : models
}
