import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { ModelConfig } from '../../config/config-schema.ts'
import { isPath } from '../../format/chat-template/configured-chat-template.ts'
import type { LanguageModel } from '../../model/language-model.ts'
import { type ChatMaker, compileChat } from '../../prompt/compile-chat.ts'
import { PromptError } from '../../prompt-error.ts'
import { runEnvironment } from '../runs/run-environment.ts'
import { chooseTemplate, loadChatTemplate } from './load-chat-template.ts'
import { readMlcConfigFile } from './read-mlc-config.ts'

/** The flags by which a command is told a model and its format. */
export type ModelFlags = {
  /** `embedded`, `gguf:PATH` or `openai:NAME@URL`. */
  model?: string
  format?: string
  convTemplate?: string
  /** The path of a chat template, or what would stand in it. */
  chatTemplate?: string
  mlcConfig?: string
  tokenizer?: string
}

/** A model that is open, with what writes chats in its format. Whoever opened it closes `model`. */
export type OpenModel = { config: ModelConfig; model: LanguageModel; maker: ChatMaker }

/**
 * A model's config from flags. A model with a format of its own (the embedded one, a GGUF file with a chat template inside)
 * is asked in it unless a flag says otherwise.
 *
 * @example
 * const { type, path, base_url, format } = modelConfigOf({ model: 'openai:Qwen/Qwen3-8B@http://127.0.0.1:8000/v1', format: 'chatml' })
 * const config = [type, path, base_url, format]
 * config // => ['openai', 'Qwen/Qwen3-8B', 'http://127.0.0.1:8000/v1', 'chatml']
 */
export function modelConfigOf(flags: ModelFlags, folder = '.'): ModelConfig {
  const { tokenizer } = flags
  const format = formatOf(flags, folder)
  const own = ownConfig(flags.model ?? 'embedded', folder, Object.keys(format).length > 0)
  return { ...own, ...format, ...(tokenizer === undefined ? {} : { tokenizer_path: resolve(folder, tokenizer) }) }
}

/** Opens the model of a config, whose paths are relative to the folder. */
export async function openModel(config: ModelConfig, folder = process.cwd()): Promise<OpenModel> {
  const maker = compileChat(config)
  return { config, maker, model: await runEnvironment(folder).openModel(config, maker.format) }
}

function ownConfig(model: string, folder: string, hasFormat: boolean): ModelConfig {
  if (model === 'embedded') return { abbr: 'tiny-chat', type: 'embedded', ...(hasFormat ? {} : { format: 'internlm2' }) }
  const [, kind, rest] = /^(gguf|openai):(.+)$/s.exec(model) ?? []
  if (kind === 'gguf') return ggufConfig(resolve(folder, rest!), hasFormat)
  if (kind === 'openai') {
    const [, name, url] = /^(.+)@(https?:\/\/.+)$/s.exec(rest!) ?? [undefined, rest!, undefined]
    // Servers hide special tokens unless they are told not to, and with them where a call or a thought begins.
    const whole = hasFormat ? { extra_body: { skip_special_tokens: false } } : {}
    return { abbr: name!, type: 'openai', path: name!, ...(url === undefined ? {} : { base_url: url }), ...whole }
  }
  throw new PromptError('unknown-model', {
    where: '--model',
    problem: `"${model}" names no model`,
    fix: 'write embedded, gguf:PATH or openai:NAME@URL, e.g. openai:qwen3-8b@http://127.0.0.1:8000/v1',
  })
}

function ggufConfig(path: string, hasFormat: boolean): ModelConfig {
  if (!existsSync(path)) throw new PromptError('no-file', { where: '--model', problem: `there is no ${path}`, fix: 'check the path' })
  const config = { abbr: basename(path, '.gguf'), type: 'gguf', path }
  return hasFormat ? config : { ...config, ...templateIn(path) }
}

/** The chat template that a GGUF file carries; a base model has none and gets plain text. */
function templateIn(path: string): ModelConfig {
  const loaded = loadChatTemplate(path)
  if (loaded.templates.default === undefined) return { format: 'plain' }
  return { chat_template: loaded.templates.default, special_tokens: { ...loaded.specialTokens } }
}

function formatOf({ format, convTemplate, chatTemplate, mlcConfig }: ModelFlags, folder: string): ModelConfig {
  const given = Object.entries({ '--format': format, '--conv-template': convTemplate ?? mlcConfig, '--chat-template': chatTemplate })
  const flags = given.flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
  if (flags.length > 1) {
    throw new PromptError('two-formats', {
      where: flags.join(', '),
      problem: 'the model is given several formats',
      fix: 'keep one of them',
    })
  }
  if (chatTemplate !== undefined) {
    if (!isPath(chatTemplate)) return { chat_template: chatTemplate }
    const loaded = loadChatTemplate(resolve(folder, chatTemplate))
    return { chat_template: chooseTemplate(loaded), special_tokens: { ...loaded.specialTokens } }
  }
  return {
    ...(format === undefined ? {} : { format }),
    ...(convTemplate === undefined ? {} : { conv_template: convTemplate }),
    ...(mlcConfig === undefined ? {} : { mlc_config: readMlcConfigFile(mlcConfig, folder, '--mlc-config') }),
  }
}
