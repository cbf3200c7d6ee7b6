import { resolve } from 'node:path'
import { type ChatMaker, compileChat } from '@rolecall/core/internal/compile'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { formatNamed, isPath } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { modelFlagUsage, modelTypeNamed } from '../../model/model-types/index.ts'
import { nodeEnvironment } from '../runs/node-environment.ts'
import { chooseTemplate, loadChatTemplate, readSpecialTokens, tokensAlone, withSpecialTokens } from './load-chat-template.ts'
import { modelHost } from './model-host.ts'
import { mlcModelOf } from './read-mlc-config.ts'

/** The command-line flags that select a model and its format. */
export type ModelFlags = {
  /** A model type and its argument, as in `modelFlagUsage`, e.g. `gguf:PATH`. */
  model?: string
  format?: string
  convTemplate?: string
  /** A chat template or its path. */
  chatTemplate?: string
  /** Its special tokens: `bos_token=<s>,eos_token=</s>`. */
  specialTokens?: string
  mlcConfig?: string
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
  const { tokenizer, mlcConfig } = flags
  const format = formatOf(flags, folder, onNotes)
  const own = ownConfig(flags.model ?? 'embedded', folder, mlcConfig !== undefined || Object.keys(format).length > 0)
  const path = tokenizer === undefined ? {} : { tokenizer_path: resolve(folder, tokenizer) }
  const mlc = mlcConfig === undefined ? {} : mlcModelOf(mlcConfig, folder, '--mlc-config', { ...own, ...path })
  return { ...own, ...format, ...mlc, ...path }
}

/** Opens the model of a config, whose paths are relative to the folder. */
export async function openModel(config: ModelConfig, folder = process.cwd()): Promise<OpenModel> {
  const maker = compileChat(config)
  return { config, maker, model: await nodeEnvironment(folder).openModel(config, maker.format) }
}

function ownConfig(model: string, folder: string, hasFormat: boolean): ModelConfig {
  const [, name, , given = ''] = /^([^:]*)(:(.+))?$/s.exec(model) ?? []
  const type = modelTypeNamed(name)
  if (type && type.flag.usage.includes(':') === (given !== '')) {
    return { type: type.name, ...type.flag.read(given, { hasFormat, host: modelHost(folder) }) }
  }
  throw new PromptError('unknown-model', {
    where: '--model',
    problem: `"${model}" is not a model`,
    fix: `write ${modelFlagUsage}, e.g. openai:qwen3-8b@http://127.0.0.1:8000/v1`,
  })
}

function formatOf(
  { format, convTemplate, chatTemplate, specialTokens, mlcConfig }: ModelFlags,
  folder: string,
  onNotes?: (notes: readonly Note[]) => void,
): ModelConfig {
  const given = Object.entries({ '--format': format, '--conv-template': convTemplate ?? mlcConfig, '--chat-template': chatTemplate })
  const flags = given.flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
  if (flags.length > 1) {
    throw new PromptError('two-formats', {
      where: flags.join(', '),
      problem: 'the model has more than one format',
      fix: 'keep one of them',
    })
  }
  if (chatTemplate !== undefined) {
    if (!isPath(chatTemplate))
      return { chat_template: chatTemplate, ...(specialTokens === undefined ? {} : { special_tokens: readSpecialTokens(specialTokens) }) }
    const loaded = withSpecialTokens(loadChatTemplate(resolve(folder, chatTemplate)), specialTokens)
    if (loaded.notes) onNotes?.(loaded.notes)
    return { chat_template: chooseTemplate(loaded), special_tokens: { ...loaded.specialTokens } }
  }
  if (specialTokens !== undefined) throw tokensAlone()
  return {
    ...(format === undefined ? {} : formatNamed(format, '--format')),
    ...(convTemplate === undefined ? {} : { conv_template: convTemplate }),
  }
}
