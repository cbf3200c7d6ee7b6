import { basename, extname } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import { chatTemplateFormat, compileFormat, namedConversation, presets } from '@rolecall/core/internal/format'
import { loadConfig } from '../../node/config/load-config.ts'
import { isFormat, mayBeConfig, type ReadFormat, readFormat } from '../../node/formats/read-format.ts'
import { chooseTemplate } from '../../node/models/load-chat-template.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'

/** A conversation format given by name or file. */
export type ConversionSource = {
  name: string
  format: Format
  /** The original meta template or conversation template. */
  own?: { meta_template: unknown } | { conv_template: unknown }
  isOllama?: true
  /** The source of a chat template. */
  template?: { source: string; specialTokens: Readonly<Record<string, string>> }
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

/** Reads a conversation format by name or path, or of a model of a config. */
export async function readSource(given: string, options: ReadSourceOptions = {}): Promise<ConversionSource> {
  if (!isFormat(given) && mayBeConfig(given)) return fromConfig(given, options)
  return sourceOf(readFormat(given, { where: given }), options)
}

/** A format that was read, compiled to be compared and converted. */
export function sourceOf(read: ReadFormat, options: ReadSourceOptions = {}): ConversionSource {
  return read.kind === 'templates' ? fromTemplates(read, options) : fromSettings(read)
}

function fromSettings({ settings, name, notes }: ReadFormat & { kind: 'settings' }): ConversionSource {
  const { meta_template: meta = metaOfPreset(settings.format) } = settings
  const format = compileFormat({ ...settings, ...(settings.meta_template === undefined ? {} : { is_api: false }) }, new Set())
  const quoted = /^the conversation template "(.+)"$/.exec(format.name)?.[1]
  const template = typeof settings.conv_template === 'string' ? namedConversation(settings.conv_template).name : quoted
  return {
    name: template ?? settings.format ?? basename(name, extname(name)),
    format,
    notes,
    ...(meta === undefined ? {} : { own: { meta_template: meta } }),
    ...(settings.ollama_template === undefined ? {} : { isOllama: true }),
  }
}

function metaOfPreset(format: string | undefined): unknown {
  return format === undefined ? undefined : presets[format]?.meta_template
}

async function fromConfig(path: string, { model: wanted }: ReadSourceOptions): Promise<ConversionSource> {
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

/** Variables that are always set. */
const standardVariables = new Set([
  ...['messages', 'tools', 'documents', 'add_generation_prompt', 'continue_final_message', 'raise_exception', 'strftime_now'],
  ...['namespace', 'range', 'dict', 'cycler', 'joiner', 'lipsum'],
])

/** An untrusted chat template, rendered in a separate thread on a fixed day. */
function fromTemplates(
  { templates: loaded, notes }: ReadFormat & { kind: 'templates' },
  { template: wanted }: ReadSourceOptions,
): ConversionSource {
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
  const ofTemplate: Note[] = [...(loaded.notes ?? [])]
  if (switches.length > 0) {
    const text = `the template uses the variables ${switches.join(', ')}; it is converted with them unset`
    ofTemplate.push({ code: 'template-switches', where: loaded.file, text })
  }
  if (Object.keys(loaded.templates).length > 1 && wanted === undefined) {
    const text = `using template "default" of ${Object.keys(loaded.templates).join(', ')}; choose another with --template`
    ofTemplate.push({ code: 'several-templates', where: loaded.file, text })
  }
  return {
    name: basename(loaded.file, extname(loaded.file)),
    format: formatOn(today),
    template: { source, specialTokens: loaded.specialTokens ?? {} },
    ...(names.includes('strftime_now') ? { onAnotherDay: formatOn(new Date(today.getTime() + 40 * 86_400_000)) } : {}),
    notes: [...notes, ...ofTemplate],
  }
}
