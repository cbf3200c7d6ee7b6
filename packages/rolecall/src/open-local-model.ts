import type { InferenceEngine } from './model/language-model/inference-engine.ts'
import type { OpenLocalModelOptions } from './model/language-model/load-model-options.ts'

/**
 * Opens a model in this process: a GGUF file (with node-llama-cpp installed), or `embedded`, the small model of this package. It takes the
 * prompts of its own chat template. It needs Node; elsewhere, use `openServer`.
 */
export async function openLocalModel(place: string, options?: OpenLocalModelOptions): Promise<InferenceEngine> {
  // Loaded on demand: browsers have no files, and most programs open no model.
  const files = await import('rolecall/files')
  return files.openLocalModel(place, options)
}
