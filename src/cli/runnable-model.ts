import type { ModelConfig } from '../config/config-schema.ts'
import { runnableType } from '../config/model-types/index.ts'
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
