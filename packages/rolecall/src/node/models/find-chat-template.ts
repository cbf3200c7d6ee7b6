import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { writesChatTemplate } from '@rolecall/core/internal/format'
import { isAboutTokens, loadChatTemplate, templateSettings } from './load-chat-template.ts'

type Model = {
  abbr?: string | undefined
  type?: string | undefined
  path?: string | undefined
  tokenizer_path?: string | undefined
  chat_template?: string | undefined
  special_tokens?: Readonly<Record<string, string>> | undefined
  format?: unknown
  conv_template?: unknown
  meta_template?: unknown
}

/**
 * Adds the chat template of the model's folder, if that is on this machine and the model's class uses its tokenizer's chat template;
 * a note names the file. Other models are returned unchanged.
 */
export function withFoundTemplate<Config extends Model>(model: Config, folder: string, note: (note: Note) => void): Config {
  if (!writesChatTemplate(model.type) || [model.chat_template, model.format, model.conv_template].some((one) => one !== undefined))
    return model
  const found = folderWithTemplate(model, folder)
  if (found === undefined) return model
  const loaded = loadChatTemplate(found)
  if (!Object.hasOwn(loaded.templates, 'default')) return model
  note({
    code: 'found-template',
    where: `${model.abbr ?? 'model'} › type`,
    text: `its prompts are rendered with the chat template of ${relative(process.cwd(), loaded.file) || loaded.file}`,
  })
  for (const about of loaded.notes ?? []) if (model.special_tokens === undefined || !isAboutTokens(about)) note(about)
  const { meta_template: meta, ...rest } = model
  const own = templateSettings(loaded)
  return {
    ...own,
    ...(onlyNamesRoles(meta) ? rest : model),
    chat_template: own.chat_template,
    special_tokens: { ...own.special_tokens, ...model.special_tokens },
  } as Config
}

/** The folder of a model's tokenizer, if it is on this machine. */
export function folderWithTemplate(model: { tokenizer_path?: unknown; path?: unknown }, folder: string): string | undefined {
  return [model.tokenizer_path, model.path].map((path) => folderOf(path, folder)).find((path) => path !== undefined)
}

/** The folder at a path relative to the config or, as in OpenCompass, to the working folder, if it has a chat template or tokenizer config. */
function folderOf(path: unknown, folder: string): string | undefined {
  if (typeof path !== 'string' || path === '') return undefined
  const places = [resolve(folder, path), resolve(path)]
  return places.find((place) => {
    const isFolder = existsSync(place) && statSync(place).isDirectory()
    return isFolder && ['chat_template.jinja', 'tokenizer_config.json'].some((name) => existsSync(resolve(place, name)))
  })
}

/** Whether a meta template only maps roles, which adds nothing to a chat template. */
function onlyNamesRoles(meta: unknown): boolean {
  const { round = [], reserved_roles: reserved = [], ...rest } = (meta ?? {}) as { round?: unknown; reserved_roles?: unknown }
  if (![round, reserved].every(Array.isArray) || Object.keys(rest).length > 0) return false
  const roles = [...(round as unknown[]), ...(reserved as unknown[])] as Record<string, unknown>[]
  return roles.every(
    (role) => Object.keys(role).every((key) => ['role', 'api_role', 'generate'].includes(key)) && role.role === role.api_role,
  )
}
