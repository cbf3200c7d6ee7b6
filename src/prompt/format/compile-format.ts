import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { writesChatTemplate } from '../../compat/opencompass/model-classes.ts'
import { isServerType } from './model-class.ts'
import { type ChatTemplateSettings, configuredChatTemplate } from './chat-template/chat-template-kind.ts'
import type { Format } from './format.ts'
import { internlm2Format } from './internlm2/internlm2-format.ts'
import { apiFormat, bareApiFormat } from './meta/api-format.ts'
import { messagesMetaFormat } from './meta/messages-meta-format.ts'
import { metaFormat } from './meta/meta-format.ts'
import { isMlcModel, type MlcFormatSettings, mlcModelFormat } from './mlc/mlc-model.ts'
import { findTemplate } from './mlc/registry.ts'
import { unknownFormat } from './named-format.ts'
import { plainFormat } from './plain.ts'
import { type Preset, presets } from './presets/index.ts'

/** `FormatSettings` whose templates are not checked yet: compiling them does. */
export type UncheckedFormatSettings = {
  abbr?: string
  type?: string
  format?: string
  format_options?: unknown
  is_api?: boolean
  endpoint?: string
  meta_template?: unknown
} & MlcFormatSettings &
  ChatTemplateSettings

/** Reads a model's conversation format once, to render many conversations with it. */
export function compileFormat(given: UncheckedFormatSettings, quirks: Quirks): Format {
  const model = withTemplateByName(given)
  if (isMlcModel(model)) return mlcModelFormat(model)
  if (model.chat_template !== undefined) return configuredChatTemplate({ ...model, chat_template: model.chat_template }, quirks)
  if (model.format !== undefined) {
    const { preset, rest } = withPreset(model, model.format)
    const where = model.abbr === undefined ? '' : `${model.abbr} › `
    if (preset.internlm2 && model.earlier_reasoning !== undefined) refuseOptions(model)
    if (preset.internlm2) return internlm2Format(preset.internlm2, model.format_options, { name: model.format, where })
    refuseOptions(model)
    // The format that is named is in place of a class's own.
    return compileFormat(writesChatTemplate(rest.type) ? { ...rest, type: '' } : rest, quirks)
  }
  refuseOptions(model)
  refuseMissingTemplate(model)
  const { meta_template: meta } = model
  const api = isApiModel(model)
  const options = { where: `${model.abbr === undefined ? '' : `${model.abbr} › `}meta_template`, quirks, api }
  if (isNothing(meta)) {
    if (isServerType(model.type)) return formatOfServer(model, quirks)
    return api ? bareApiFormat(options) : plainFormat(quirks)
  }
  if (!Array.isArray(meta)) return api ? apiFormat(meta, options) : metaFormat(meta, options)
  if (api) return messagesMetaFormat(meta, options)
  throw new PromptError('wrong-type', {
    where: options.where,
    problem: 'a list of messages is for API models, and this is a language model',
    fix: 'write an object with begin, round and end',
  })
}

/** A conversation template of MLC may be named as any other format is. */
function withTemplateByName(model: UncheckedFormatSettings): UncheckedFormatSettings {
  const { format, ...rest } = model
  const isTemplate = format !== undefined && !Object.hasOwn(presets, format) && rest.conv_template === undefined && findTemplate(format)
  return isTemplate ? { ...rest, conv_template: format } : model
}

/** A class of another program that writes prompts by a chat template is nothing without it: plain text would be another prompt. */
function refuseMissingTemplate({ abbr, type }: UncheckedFormatSettings): void {
  if (!writesChatTemplate(type)) return
  throw new PromptError('no-template', {
    where: `${abbr === undefined ? '' : `${abbr} › `}type`,
    problem: `${type!.split('.').at(-1)} writes prompts in the chat template of the model's tokenizer, which is not here`,
    fix: `give the model's folder as "path", "tokenizer_path", "chat_template" or with --chat-template, or let a server write it: rolecall run --models ${abbr ?? 'NAME'}=http://127.0.0.1:8000/v1`,
  })
}

/**
 * A model on a server that declares no format. Chat servers write messages in the model's format themselves, so that turns stay turns;
 * completions get plain text, which is rarely what a chat model was trained with, and it is said.
 */
function formatOfServer(model: UncheckedFormatSettings, quirks: Quirks): Format {
  const isText = model.endpoint === 'completions' || model.is_api === false
  if (!isText) return compileFormat({ ...model, format: 'messages' }, quirks)
  const plain = plainFormat(quirks)
  const note = {
    code: 'no-format',
    where: model.abbr ?? 'model',
    text: 'the model declares no format, so that its prompts are plain text: right for a base model, wrong for one that was trained on turns',
  }
  return {
    ...plain,
    render(conversation, ask) {
      const prompt = plain.render(conversation, ask)
      return { ...prompt, notes: [...prompt.notes, note] }
    },
  }
}

/** Whether messages are taken is the preset's to say, so that the type is not asked. */
function withPreset(
  { format: _, type: __, ...model }: UncheckedFormatSettings,
  name: string,
): { preset: Preset; rest: UncheckedFormatSettings } {
  const where = `${model.abbr === undefined ? '' : `${model.abbr} › `}format`
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (!preset) throw unknownFormat(name, where)
  if (model.meta_template) {
    throw new PromptError('two-formats', { where, problem: 'the model has both a format and a meta_template', fix: 'keep one of them' })
  }
  return { preset, rest: { ...model, meta_template: preset.meta_template, is_api: model.is_api ?? preset.api === true } }
}

function refuseOptions({ abbr, format, format_options: options, earlier_reasoning: reasoning }: UncheckedFormatSettings): void {
  if (reasoning !== undefined)
    throw new PromptError('unused-options', {
      where: `${abbr === undefined ? '' : `${abbr} › `}earlier_reasoning`,
      problem: 'only a chat template can keep or leave out the reasoning of earlier turns, and this model has none',
      fix: 'leave it out, or give the model its chat_template',
    })
  if (options === undefined) return
  throw new PromptError('unused-options', {
    where: `${abbr === undefined ? '' : `${abbr} › `}format_options`,
    problem: format === undefined ? 'the model names no format that could have options' : `the format "${format}" has no options`,
    fix: 'leave them out',
  })
}

/** A model takes messages if its config says so, if its meta template has API roles or is a list, or by its class. */
export function isApiModel({ is_api: isApi, meta_template: meta, type }: UncheckedFormatSettings): boolean {
  if (isApi !== undefined) return isApi
  if (Array.isArray(meta)) return true
  const { round, reserved_roles: reserved } = (meta ?? {}) as { round?: unknown; reserved_roles?: unknown }
  const roles: unknown[] = [round, reserved].filter(Array.isArray).flat()
  if (roles.some((role) => typeof role === 'object' && role !== null && 'api_role' in role)) return true
  return roles.length === 0 && /^(openai|claude|gemini)|api$/i.test(type?.split('.').at(-1) ?? '')
}

/** The documents: a base model's meta template may be left empty. */
function isNothing(meta: unknown): boolean {
  return meta === undefined || meta === null || (typeof meta === 'object' && Object.keys(meta).length === 0)
}
