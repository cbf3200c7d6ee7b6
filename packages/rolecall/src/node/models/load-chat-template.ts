import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { readResponseTemplate } from '@rolecall/core/internal/reply'
import type { ModelSettings } from '../../model/model-types/model-settings.ts'
import { readWholeText } from '../read-whole-file.ts'
import { familyTokens } from './family-tokens.ts'
import { readGgufMetadata } from './gguf/read-gguf.ts'

/** A model's chat templates by name, and the special tokens they are rendered with. */
export type LoadedChatTemplate = {
  templates: Readonly<Record<string, string>>
  specialTokens: Readonly<Record<string, string>>
  file: string
  /** The model's own `response_template`, unread: how transformers reads its replies. */
  responseTemplate?: object
  /** It has the older `response_schema`, which transformers no longer reads. */
  hasResponseSchema?: true
  /** Special tokens that were assumed, or that are unknown. */
  notes?: readonly Note[]
  /** The family whose special tokens were assumed. */
  family?: string
  /** Names of tokens that the template reads and nothing gives. */
  unknown?: readonly string[]
}

/**
 * Reads a model's chat templates from a `.jinja` file, a `tokenizer_config.json`, a GGUF file, or the model's folder, where
 * `chat_template.jinja` takes precedence over the tokenizer config, as in transformers.
 */
export function loadChatTemplate(path: string): LoadedChatTemplate {
  if (!existsSync(path))
    throw new PromptError('no-file', {
      where: path,
      problem: 'there is no such file or folder',
      fix: "give the model's folder, its tokenizer_config.json, a .jinja file, a .gguf file, or the name of a model on a hub",
    })
  if (path.endsWith('.gguf')) return fromGguf(path)
  if (statSync(path).isDirectory()) return withReadingNotes(fromFolder(path))
  if (path.endsWith('.json')) return withReadingNotes(fromTokenizerConfig(path))
  return withFamilyTokens({ templates: { default: readWholeText(path) }, specialTokens: {}, file: path })
}

/** What a model's config says of its chat template: the text, the tokens, and how replies are read. */
export function templateSettings(
  loaded: LoadedChatTemplate,
): Pick<ModelSettings, 'chat_template' | 'special_tokens' | 'response_template'> {
  const { responseTemplate } = loaded
  return {
    chat_template: chooseTemplate(loaded),
    special_tokens: { ...loaded.specialTokens },
    ...(responseTemplate && readingProblem(responseTemplate) === undefined && { response_template: { ...responseTemplate } }),
  }
}

/** Why a response template cannot be used. */
function readingProblem(template: object): string | undefined {
  try {
    readResponseTemplate(template)
    return undefined
  } catch (error) {
    if (error instanceof PromptError) return error.message
    throw error
  }
}

function withReadingNotes(loaded: LoadedChatTemplate): LoadedChatTemplate {
  const notes = [...(loaded.notes ?? []), ...readingNotes(loaded)]
  return notes.length === 0 ? loaded : { ...loaded, notes }
}

function readingNotes({ responseTemplate, hasResponseSchema, file }: LoadedChatTemplate): Note[] {
  const problem = responseTemplate && readingProblem(responseTemplate)
  if (problem !== undefined) {
    const text = `the model's response template is not used, and replies are read as its chat template writes them: ${problem}`
    return [{ code: 'response-template', where: file, text }]
  }
  if (!hasResponseSchema || responseTemplate) return []
  return [
    { code: 'response-schema', where: file, text: 'response_schema is not read: transformers ignores it since response_template exists' },
  ]
}

/** The files of a model that say what its special tokens are; the later one counts. */
const tokenFiles = ['special_tokens_map.json', 'tokenizer_config.json']

/** Adds the special tokens of the files beside a template; without such files, those of its family, which a note says. */
function withFamilyTokens(loaded: LoadedChatTemplate): LoadedChatTemplate {
  const { templates, file } = loaded
  const beside = tokenFiles.map((name) => join(dirname(file), name)).filter((path) => existsSync(path))
  const specialTokens = Object.assign({}, ...beside.map((path) => tokensOf(readJson(path)))) as Record<string, string>
  // A tokenizer that has files and no BOS has none.
  if (beside.length > 0) return { ...loaded, specialTokens }
  const { tokens, family, unknown } = familyTokens(templates.default ?? '', specialTokens)
  const notes = family === undefined ? [] : [assumedNote(file, tokens, family)]
  if (unknown.length > 0) {
    const text = `${unknown.join(' and ')} cannot be found, and the template gets none: ${giveTokens}`
    notes.push({ code: 'unknown-tokens', where: file, text })
  }
  return {
    ...loaded,
    specialTokens: { ...specialTokens, ...tokens },
    ...(notes.length > 0 ? { notes } : {}),
    ...(family === undefined ? {} : { family }),
    ...(unknown.length > 0 ? { unknown } : {}),
  }
}

const giveTokens = 'put the model’s tokenizer_config.json beside it, or set special_tokens on the model'

function assumedNote(file: string, tokens: Readonly<Record<string, unknown>>, family: string): Note {
  const named = Object.entries(tokens).map(([name, token]) => `${name} is ${token}`)
  return { code: 'assumed-tokens', where: file, text: `${named.join(' and ')}, as in ${family}, because no file gives them; ${giveTokens}` }
}

/** Whether a note is about special tokens that no file gives. */
export function isAboutTokens({ code }: Note): boolean {
  return code === 'assumed-tokens' || code === 'unknown-tokens'
}

/** The tokens of `--special-tokens`: `bos_token=<s>,eos_token=</s>`. */
export function readSpecialTokens(flag: string): Record<string, string> {
  const tokens = flag.split(/,(?=\w+_token=)/).map((one) => {
    const [, name, token] = /^(\w+_token)=(.*)$/s.exec(one) ?? []
    if (name !== undefined) return [name, token!] as const
    const problem = `"${one}" gives no token`
    throw new PromptError('bad-flag', { where: '--special-tokens', problem, fix: 'write bos_token=<s>,eos_token=</s>' })
  })
  return Object.fromEntries(tokens)
}

/**
 * Adds the tokens of `--special-tokens` to those of a template. Tokens that are still unknown are an error:
 * a prompt without them would not be the model's.
 */
export function withSpecialTokens(loaded: LoadedChatTemplate, flag: string | undefined): LoadedChatTemplate {
  const given = flag === undefined ? {} : readSpecialTokens(flag)
  const missing = (loaded.unknown ?? []).filter((name) => !(name in given))
  if (missing.length > 0)
    throw new PromptError('unknown-tokens', {
      where: loaded.file,
      problem: `the template reads ${missing.join(' and ')}, which no file beside it gives and no known family has`,
      fix: `give them, --special-tokens "${missing.map((name) => `${name}=…`).join(',')}" (nothing after = for none), or put the model’s tokenizer_config.json beside the template`,
    })
  if (flag === undefined) return loaded
  const { notes = [], unknown: _, ...rest } = loaded
  const assumed = Object.entries(loaded.specialTokens).filter(([name]) => !(name in given))
  const isAssumed = loaded.family !== undefined && assumed.length > 0
  const left = [
    ...(isAssumed ? [assumedNote(loaded.file, Object.fromEntries(assumed), loaded.family!)] : []),
    ...notes.filter((note) => !isAboutTokens(note)),
  ]
  return { ...rest, specialTokens: { ...loaded.specialTokens, ...given }, ...(left.length > 0 ? { notes: left } : {}) }
}

/** `--special-tokens` without a template they belong to. */
export function tokensAlone(): PromptError {
  return new PromptError('bad-flag', {
    where: '--special-tokens',
    problem: 'they belong to a chat template, and none is given',
    fix: 'add --chat-template FILE',
  })
}

/** Chooses like transformers: `tool_use` if there are tools and such a template, else `default`. */
export function chooseTemplate(
  { templates, file }: LoadedChatTemplate,
  { name, tools = false }: { name?: string; tools?: boolean } = {},
): string {
  const wanted = name ?? (tools && templates.tool_use !== undefined ? 'tool_use' : 'default')
  const found = Object.hasOwn(templates, wanted) ? templates[wanted] : undefined
  if (found !== undefined) return found
  throw new PromptError('no-template', {
    where: file,
    problem: `there is no chat template "${wanted}"`,
    fix: Object.keys(templates).length === 0 ? 'the model has none: provide one' : `choose one of: ${Object.keys(templates).join(', ')}`,
  })
}

function fromFolder(folder: string): LoadedChatTemplate {
  const config = join(folder, 'tokenizer_config.json')
  const own = join(folder, 'chat_template.jinja')
  const base = existsSync(config) ? fromTokenizerConfig(config) : undefined
  if (!existsSync(own) && base === undefined)
    throw new PromptError('no-file', {
      where: folder,
      problem: 'the folder has neither a chat_template.jinja nor a tokenizer_config.json',
      fix: "give the model's folder",
    })
  const more = join(folder, 'additional_chat_templates')
  const additional = existsSync(more) ? readdirSync(more).filter((name) => name.endsWith('.jinja')) : []
  return withFamilyTokens({
    templates: {
      ...base?.templates,
      ...(existsSync(own) ? { default: readWholeText(own) } : {}),
      ...Object.fromEntries(additional.map((name) => [basename(name, '.jinja'), readWholeText(join(more, name))])),
    },
    specialTokens: {},
    file: existsSync(own) ? own : config,
    ...(base?.responseTemplate && { responseTemplate: base.responseTemplate }),
    ...(base?.hasResponseSchema && { hasResponseSchema: true as const }),
  })
}

function fromTokenizerConfig(path: string): LoadedChatTemplate {
  const config = readJson(path)
  const { response_template: response, response_schema: schema } = config
  return {
    templates: templatesOf(config.chat_template, path),
    specialTokens: tokensOf(config),
    file: path,
    ...(typeof response === 'object' && response !== null && { responseTemplate: response }),
    ...(schema !== undefined && schema !== null && { hasResponseSchema: true as const }),
  }
}

/** `chat_template` is a template or a list of named templates. */
function templatesOf(given: unknown, file: string): Record<string, string> {
  if (given === undefined || given === null) return {}
  if (typeof given === 'string') return { default: given }
  if (!Array.isArray(given)) throw noTemplate(`${file} › chat_template`, given)
  return Object.fromEntries(
    given.map((entry: unknown, index) => {
      const { name, template } = (entry ?? {}) as { name?: unknown; template?: unknown }
      if (typeof name !== 'string' || typeof template !== 'string') throw noTemplate(`${file} › chat_template[${index}]`, entry)
      return [name, template]
    }),
  )
}

function noTemplate(where: string, given: unknown): PromptError {
  const shown = JSON.stringify(given) ?? String(given)
  return new PromptError('bad-tokenizer', {
    where,
    problem: `${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown} is not a chat template`,
    fix: 'write a string, or a list of { "name": …, "template": … }',
  })
}

/** `bos_token` etc.: a string, or an added token with its `content`. */
function tokensOf(config: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) => {
      const content = typeof value === 'object' && value !== null ? (value as { content?: unknown }).content : value
      return /^\w+_token$/.test(name) && typeof content === 'string' ? [[name, content]] : []
    }),
  )
}

function fromGguf(path: string): LoadedChatTemplate {
  const metadata = readGgufMetadata(path)
  const templates = [...metadata].flatMap(([key, value]) => {
    const name = /^tokenizer\.chat_template(?:\.(.+))?$/.exec(key)
    return name && typeof value === 'string' ? [[name[1] ?? 'default', value] as const] : []
  })
  const tokens = metadata.get('tokenizer.ggml.tokens')
  const names = { bos: 'bos_token', eos: 'eos_token', unknown: 'unk_token', padding: 'pad_token', separator: 'sep_token' }
  const specialTokens = Object.entries(names).flatMap(([key, name]) => {
    const id = metadata.get(`tokenizer.ggml.${key}_token_id`)
    const token = Array.isArray(tokens) && id !== undefined ? (tokens[Number(id)] as unknown) : undefined
    return typeof token !== 'string' ? [] : [[name, token] as const]
  })
  return { templates: Object.fromEntries(templates), specialTokens: Object.fromEntries(specialTokens), file: path }
}

function readJson(path: string): Record<string, unknown> {
  const text = readWholeText(path)
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json === 'object' && json !== null) return json as Record<string, unknown>
  } catch (error) {
    throw new PromptError('bad-tokenizer', {
      where: path,
      problem: `this is not JSON (${(error as Error).message})`,
      fix: 'check that the file is complete',
    })
  }
  throw new PromptError('bad-tokenizer', { where: path, problem: 'this is not a tokenizer config', fix: 'give a tokenizer_config.json' })
}
