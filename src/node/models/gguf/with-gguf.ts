import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelConfig } from '../../../config/config-schema.ts'
import { namesFormat } from '../../../config/model-schema.ts'
import { loadChatTemplate } from '../load-chat-template.ts'

/**
 * Models of type `gguf` with their paths made absolute. One that names no format of its own gets the chat template inside
 * the file, if there is one, with the special tokens that it is rendered with.
 */
export function withGguf<Model extends ModelConfig>(models: readonly Model[], folder: string): Model[] {
  return models.map((model) => {
    if (model.type !== 'gguf' || model.path === undefined) return model
    const path = resolve(folder, model.path)
    const tokenizer = model.tokenizer_path === undefined ? {} : { tokenizer_path: resolve(folder, model.tokenizer_path) }
    const found = { ...model, path, ...tokenizer }
    if (namesFormat(model) || !existsSync(path)) return found
    const { templates, specialTokens } = loadChatTemplate(path)
    if (templates.default === undefined) return found
    return { ...found, chat_template: templates.default, special_tokens: { ...specialTokens, ...model.special_tokens } }
  })
}
