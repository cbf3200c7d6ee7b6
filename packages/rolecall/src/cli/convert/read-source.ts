import { existsSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import {
  chatTemplateFormat,
  compileFormat,
  findTemplate,
  isFormatName,
  namedConversation,
  ollamaFormat,
  presets,
  readModelfile,
  unknownFormat,
} from '@rolecall/core/internal/format'
import { parse as parseYaml } from 'yaml'
import { loadConfig, parseConfigJson } from '../../node/config/load-config.ts'
import { chooseTemplate, type LoadedChatTemplate, loadChatTemplate } from '../../node/models/load-chat-template.ts'
import { mlcModelOf } from '../../node/models/read-mlc-config.ts'
import { readWholeText } from '../../node/read-whole-file.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'

/** A conversation format given by name or file. */
export type FormatSource = {
  name: string
  format: Format
  /** The original meta template or conversation template. */
  own?: { meta_template: unknown } | { conv_template: unknown }
  isOllama?: true
  /** The format on another day, if it writes the date. */
  onAnotherDay?: Format
  notes: readonly Note[]
}

export type ReadSourceOptions = {
  /** Which model of a config. */
  model?: string
  /** Which template of a model that has several. */
  template?: string
  /** The name of the converted format. */
  name?: string
}

/**
 * Reads a conversation format: a built-in one or one of MLC's by name; a file with a chat template, meta template, conversation template or
 * mlc-chat-config.json; a model folder; or a model of a config.
 */
export async function readSource(given: string, options: ReadSourceOptions = {}): Promise<FormatSource> {
  if (isFormatName(given)) return named(given)
  if (!existsSync(given)) throw unknownFormat(given, given)
  if (statSync(given).isDirectory()) {
    return existsSync(join(given, 'mlc-chat-config.json')) && !existsSync(join(given, 'tokenizer_config.json'))
      ? fromModel(mlcModelOf(given, process.cwd(), given), given)
      : fromTemplate(loadChatTemplate(given), options)
  }
  if (/^modelfile/i.test(basename(given))) return fromOllama(given)
  switch (extname(given)) {
    case '.jinja':
    case '.jinja2':
    case '.j2':
    case '.gguf':
      return fromTemplate(loadChatTemplate(given), options)
    case '.gotmpl':
    case '.tmpl':
    case '.modelfile':
      return fromOllama(given)
    case '.json':
      return fromObject(parseConfigJson(readWholeText(given), given), given, options)
    case '.yaml':
    case '.yml':
      return fromObject(parseYaml(readWholeText(given)), given, options)
    default:
      return fromConfig(given, options)
  }
}

function named(name: string): FormatSource {
  const isPreset = Object.hasOwn(presets, name)
  const model = isPreset ? { format: name } : { conv_template: name }
  const own = isPreset || !findTemplate(name) ? name : namedConversation(name).name
  const meta = isPreset ? presets[name]!.meta_template : undefined
  return { name: own, format: compileFormat(model, new Set()), notes: [], ...(meta && { own: { meta_template: meta } }) }
}

const metaKeys = ['round', 'reserved_roles']
const conversationKeys = ['seps', 'separator_style', 'role_templates', 'system_template']

function fromObject(given: unknown, path: string, options: ReadSourceOptions): FormatSource | Promise<FormatSource> {
  const has = (keys: readonly string[]) => typeof given === 'object' && given !== null && keys.some((key) => key in given)
  if (has(['models', 'datasets'])) return fromConfig(path, options)
  if (has(['chat_template', 'tokenizer_class', 'added_tokens_decoder'])) return fromTemplate(loadChatTemplate(path), options)
  if (has(metaKeys)) return fromModel({ meta_template: given, is_api: false }, path)
  if (has(['meta_template'])) return fromModel({ ...(given as object), is_api: false }, path)
  if (has(['conv_template', 'conv_config'])) return fromModel(mlcModelOf(path, process.cwd(), path), path)
  if (has(conversationKeys)) return fromModel({ conv_template: given }, path)
  throw new PromptError('no-format', {
    where: path,
    problem: 'no conversation format found',
    fix: 'use a meta template ("round"), an MLC conversation template ("roles", "seps"), a tokenizer_config.json or a config with models',
  })
}

function fromModel(model: object, path: string): FormatSource {
  const format = compileFormat(model as Parameters<typeof compileFormat>[0], new Set())
  const quoted = /^the conversation template "(.+)"$/.exec(format.name)?.[1]
  const { meta_template: meta } = model as { meta_template?: unknown }
  return {
    name: quoted ?? basename(path, extname(path)),
    format,
    notes: [],
    ...(meta === undefined ? {} : { own: { meta_template: meta } }),
  }
}

async function fromConfig(path: string, { model: wanted }: ReadSourceOptions): Promise<FormatSource> {
  const { config } = withGuardedTemplates(await loadConfig(path))
  const names = config.models.map(({ abbr }) => abbr)
  const model = wanted === undefined && config.models.length === 1 ? config.models[0] : config.models.find(({ abbr }) => abbr === wanted)
  if (model === undefined)
    throw new PromptError('which-model', {
      where: path,
      problem: wanted === undefined ? `the config has ${names.length} models` : `the config has no model "${wanted}"`,
      fix: names.length === 0 ? 'use a config with a model' : `choose one with --model: ${names.join(', ')}`,
    })
  const format = compileFormat({ ...model, neighbours_policy: 'error' } as Parameters<typeof compileFormat>[0], new Set())
  return { name: model.abbr ?? path, format, notes: config.warnings }
}

/** An Ollama Modelfile, or only its template. */
function fromOllama(path: string): FormatSource {
  const { template, system, stops } = readModelfile(readWholeText(path), path)
  const format = ollamaFormat(template, { where: path, stops, ...(system === undefined ? {} : { system }) })
  return { name: basename(path, extname(path)), format, isOllama: true, notes: [] }
}

/** Variables that are always set. */
const standardVariables = new Set([
  ...['messages', 'tools', 'documents', 'add_generation_prompt', 'continue_final_message', 'raise_exception', 'strftime_now'],
  ...['namespace', 'range', 'dict', 'cycler', 'joiner', 'lipsum'],
])

/** An untrusted chat template, rendered in a separate thread on a fixed day. */
function fromTemplate(loaded: LoadedChatTemplate, { template: wanted }: ReadSourceOptions): FormatSource {
  const source = chooseTemplate(loaded, wanted === undefined ? {} : { name: wanted })
  const formatOn = (clock: Date) =>
    chatTemplateFormat(source, {
      where: loaded.file,
      specialTokens: loaded.specialTokens,
      neighbours: 'error',
      clock,
      compile: isolatedTemplate,
    })
  const names = isolatedTemplate(source, { name: loaded.file }).names
  const switches = names.filter((name) => !standardVariables.has(name) && !name.endsWith('_token'))
  const today = new Date()
  const notes: Note[] = []
  if (switches.length > 0) {
    const text = `the template uses the variables ${switches.join(', ')}; it is converted with them unset`
    notes.push({ code: 'template-switches', where: loaded.file, text })
  }
  if (Object.keys(loaded.templates).length > 1 && wanted === undefined) {
    const text = `using template "default" of ${Object.keys(loaded.templates).join(', ')}; choose another with --template`
    notes.push({ code: 'several-templates', where: loaded.file, text })
  }
  return {
    name: basename(loaded.file, extname(loaded.file)),
    format: formatOn(today),
    ...(names.includes('strftime_now') ? { onAnotherDay: formatOn(new Date(today.getTime() + 40 * 86_400_000)) } : {}),
    notes,
  }
}
