import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { tinyChat } from '../../model/embedded/open-embedded.ts'
import { modelTypeOf } from '../../model/model-types/index.ts'
import { readGgufMetadata } from './gguf/read-gguf.ts'

/** The memory of a context is allocated up front; larger contexts must be requested. */
export const defaultContext = 8192

/** The context length of a model that runs here, before it is opened; undefined if only a server knows it. */
export function contextOf(model: ModelConfig, folder: string): number | undefined {
  const type = modelTypeOf(model)
  if (type?.isShipped) return tinyChat.shape.context
  if (type?.name !== 'gguf') return undefined
  const path = model.path === undefined ? undefined : resolve(folder, model.path)
  if (model.context !== undefined || path === undefined || !existsSync(path)) return model.context
  const metadata = readGgufMetadata(path)
  const trained = metadata.get(`${String(metadata.get('general.architecture'))}.context_length`)
  return typeof trained === 'number' || typeof trained === 'bigint' ? Math.min(Number(trained), defaultContext) : undefined
}
