import { resolve } from 'node:path'
import { type ChatMaker, compileChat } from '@rolecall/core/internal/compile'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { modelFlagUsage, modelTypeNamed } from '../../model/model-types/index.ts'
import { type FormatFlags, type FormatOfFlags, formatFlagsIn, formatOfFlags } from '../formats/format-flags.ts'
import { nodeEnvironment } from '../runs/node-environment.ts'
import { modelHost } from './model-host.ts'

/** The command-line flags that select a model and its format. */
export type ModelFlags = FormatFlags & {
  /** A model type and its argument, as in `modelFlagUsage`, e.g. `gguf:PATH`. */
  model?: string
  tokenizer?: string
}

/** An open model and the renderer for its format. The caller closes `model`. */
export type OpenModel = { config: ModelConfig; model: LanguageModel; maker: ChatMaker }

/**
 * Builds a model's config from flags. A model that comes with a format (the embedded one, a GGUF file with a chat template)
 * uses it unless a flag sets another. `onNotes` gets what was assumed about a chat template.
 *
 * @example
 * const { type, path, base_url, format } = modelConfigOf({ model: 'openai:Qwen/Qwen3-8B@http://127.0.0.1:8000/v1', format: 'chatml' })
 * const config = [type, path, base_url, format]
 * config // => ['openai', 'Qwen/Qwen3-8B', 'http://127.0.0.1:8000/v1', 'chatml']
 */
export function modelConfigOf(flags: ModelFlags, folder = '.', onNotes?: (notes: readonly Note[]) => void): ModelConfig {
  const { config, format } = modelOfFlags(flags, folder)
  if (format && format.notes.length > 0) onNotes?.(format.notes)
  return config
}

/** As `modelConfigOf`, with the format that the flags give. */
export function modelOfFlags(flags: ModelFlags, folder = '.'): { config: ModelConfig; format: FormatOfFlags | undefined } {
  const own = ownConfig(flags.model ?? 'embedded', folder, formatFlagsIn(flags).length > 0)
  const tokenizer = flags.tokenizer === undefined ? {} : { tokenizer_path: resolve(folder, flags.tokenizer) }
  const format = formatOfFlags(flags, { folder, model: { ...own, ...tokenizer } })
  return { config: { ...own, ...format?.model, ...tokenizer }, format }
}

/** Opens the model of a config, whose paths are relative to the folder. */
export async function openModel(config: ModelConfig, folder = process.cwd()): Promise<OpenModel> {
  const maker = compileChat(config)
  return { config, maker, model: await nodeEnvironment(folder).openModel(config, maker.format) }
}

function ownConfig(model: string, folder: string, hasFormat: boolean): ModelConfig {
  const [, name, , given = ''] = /^([^:/]*)([:/](.+))?$/s.exec(model) ?? []
  // `anthropic/NAME` is what other programs write.
  const type =
    model.includes(':') || modelTypeNamed(name)?.takesMessages || name === 'openai' ? modelTypeNamed(name) : modelTypeNamed(model)
  if (type && type.flag.usage.includes(':') === (given !== '')) {
    return { type: type.name, ...type.flag.read(given, { hasFormat, host: modelHost(folder) }) }
  }
  throw new PromptError('unknown-model', {
    where: '--model',
    problem: `"${model}" is not a model`,
    fix: `write ${modelFlagUsage}, e.g. openai:qwen3-8b@http://127.0.0.1:8000/v1`,
  })
}
