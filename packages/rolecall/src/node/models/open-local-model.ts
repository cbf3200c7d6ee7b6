import { compileChat } from '@rolecall/core/internal/compile'
import { check, PromptError } from '@rolecall/core/internal/errors'
import type { Model } from '@rolecall/core/internal/model'
import * as z from '@rolecall/core/internal/schema'
import { type InferenceEngine, inferenceEngine } from '../../model/language-model/inference-engine.ts'
import type { OpenLocalModelOptions } from '../../model/language-model/load-model-options.ts'
import { modelTypeNamed } from '../../model/model-types/index.ts'
import { modelHost } from './model-host.ts'

const localOptionsSchema = z.strictObject({
  model: z.optional(z.looseObject({ format: z.looseObject({}) })),
  folder: z.optional(z.string()),
} satisfies { readonly [Key in keyof Required<OpenLocalModelOptions>]: z.FieldSchemas[string] })

/**
 * Opens a model in this process: a GGUF file (with node-llama-cpp installed), or `embedded`, the small model of this package. It takes the
 * prompts of its own chat template. `close()` frees its memory.
 */
export async function openLocalModel(place: string, options: OpenLocalModelOptions = {}): Promise<InferenceEngine> {
  check(localOptionsSchema, options, 'openLocalModel › options › ')
  const { model, folder = process.cwd() } = options
  const host = modelHost(folder)
  const type = place === 'embedded' ? modelTypeNamed('embedded') : /\.gguf$/i.test(String(place)) ? modelTypeNamed('gguf') : undefined
  if (type === undefined)
    throw new PromptError('unknown-model', {
      where: 'openLocalModel',
      problem: `"${String(place)}" is not a model that runs here`,
      fix: 'give the path of a .gguf file, or "embedded"; for a model on a server, use openServer',
    })
  const config = { type: type.name, ...type.flag.read(place === 'embedded' ? '' : place, { hasFormat: model !== undefined, host }) }
  const { format } = model ?? compileChat(config)
  const engine = await type.open(config, { host, format })
  const own: Model = { name: model?.name ?? engine.name, format, tokenizer: engine.tokenizer, replySyntax: model?.replySyntax }
  return inferenceEngine(own, engine)
}
