import { extname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { runnableType } from '../model/model-types/index.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { printWarnings } from './terminal.ts'

/**
 * A model that can run. A model with only a format (a meta template, an mlc-chat-config.json) runs as the embedded model, with a warning that
 * names the format: `format` if a flag gives one; an unsupported type is an error.
 */
export function runnableModel(model: ModelConfig, format?: string): ModelConfig {
  if (lacksType(model)) {
    const name = model.abbr ?? 'model'
    const problem = model.type === undefined ? 'the model has no type' : `"${model.type}" stands for any model in the documents`
    if (makesMessages(model) && format === undefined)
      throw new PromptError('no-type', {
        where: `${name} › type`,
        problem: `${problem}, and its meta template makes messages (api_role), which the embedded model does not read`,
        fix: 'name a server: --base-url http://127.0.0.1:8000/v1, or type: "openai" with its base_url; --format chatml runs it as text',
      })
    const text = `${problem}; using the embedded model in the format ${format ?? `of "${name}"`}`
    printWarnings([{ code: 'no-type', where: name, text }])
    return { ...model, type: 'embedded' }
  }
  runnableType(model)
  return model
}

/** Whether its meta template is one for APIs. */
function makesMessages({ meta_template: meta }: ModelConfig): boolean {
  const { round = [] } = (meta ?? {}) as { round?: readonly unknown[] }
  return round.some((turn) => typeof turn === 'object' && turn !== null && 'api_role' in turn)
}

/** Documents 000 and 001 write these where the class of a model goes. */
const placeholders: readonly string[] = ['LLM', 'AnyModel']

/** Whether nothing says what runs a model: only its format is described. */
export function lacksType({ type }: Pick<ModelConfig, 'type'>): boolean {
  return type === undefined || placeholders.includes(type)
}

/** Whether models of a file need no type. */
export function describesFormats({ file, recognised }: Pick<LoadedConfig, 'file' | 'recognised'>): boolean {
  return recognised !== undefined || extname(file) === '.py'
}

/** The models of a config. In our own configs a model needs a type; files that only describe a format or a conversation have none. */
export function configuredModels({ file, config, recognised }: LoadedConfig, format?: string): ModelConfig[] {
  const models = config.models as ModelConfig[]
  if (models.length === 0 && recognised === 'snippet') {
    const text = `no model given; using the embedded model in the format ${format ?? 'internlm2'}`
    printWarnings([{ code: 'no-model', where: file, text }])
    return [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }]
  }
  const areFormats = describesFormats({ file, recognised })
  return models.map((model) => (lacksType(model) && (areFormats || model.type !== undefined) ? runnableModel(model, format) : model))
}
