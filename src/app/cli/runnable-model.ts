import { extname } from 'node:path'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { runnableType } from '../../model/model-types/index.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { warnBeside } from './terminal.ts'

/**
 * A model that can be asked. What names only a format (a meta template, a mlc-chat-config.json) is asked of the embedded model, and it is
 * said; a type that nothing here can run is an error.
 */
export function runnableModel(model: ModelConfig): ModelConfig {
  if (model.type === undefined) {
    const name = model.abbr ?? 'model'
    warnBeside([{ code: 'no-type', where: name, text: 'the model has no type, so that the embedded model is asked in its format' }])
    return { ...model, type: 'embedded' }
  }
  runnableType(model)
  return model
}

/**
 * The models of a file that are asked. In a config of ours a model without a type is a slip; a file that only describes a format or a
 * conversation, as the snippets of the documents do, has none.
 */
export function askedModels({ file, config, recognised }: LoadedConfig): ModelConfig[] {
  const models = config.models as ModelConfig[]
  if (models.length === 0 && config.warnings.some(({ code }) => code === 'prompt-list')) {
    const text = 'it has no model, so that the embedded model is asked in its own format'
    warnBeside([{ code: 'no-model', where: file, text }])
    return [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }]
  }
  const describes = recognised !== undefined || extname(file) === '.py'
  return describes ? models.map((model) => (model.type === undefined ? runnableModel(model) : model)) : models
}
