import type { Model } from '@rolecall/core'
import type { LoadModelOptions } from './model/language-model/load-model-options.ts'

/**
 * A model by its place: a name on a hub (`Qwen/Qwen3-8B`, whose template and tokenizer are downloaded once), a model folder, a GGUF file, a
 * chat template or any other file with a format, with the tokenizer beside it. It needs Node; elsewhere, use `defineModel`.
 */
export async function loadModel(place: string, options?: LoadModelOptions): Promise<Model> {
  // Loaded on demand: browsers have no files, and most programs read a model once.
  const files = await import('rolecall/files')
  return files.loadModel(place, options)
}
