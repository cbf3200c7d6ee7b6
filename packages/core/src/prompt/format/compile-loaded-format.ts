import { nearestName } from '../../base/errors/nearest.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { type ChatTemplateSettings, chatTemplateKind } from './chat-template/chat-template-kind.ts'
import type { Format } from './format.ts'
import { type DeclaredFormat, type FormatKind, placeIn } from './format-kind.ts'
import { metaTemplateKind } from './meta/meta-template-kind.ts'
import type { MlcFormatSettings } from './mlc/mlc-kind.ts'
import { loadedFormats, loadThem, neededFormats } from './more-formats.ts'
import type { OllamaSettings } from './ollama/ollama-kind.ts'
import { basicPresets, type Preset } from './presets/basic.ts'
import { undeclaredFormat } from './undeclared-format.ts'

/** `FormatSettings` whose templates are not checked yet: compiling them does. */
export type UncheckedFormatSettings = Omit<DeclaredFormat, 'preset'> & MlcFormatSettings & ChatTemplateSettings & OllamaSettings

type Resolved = DeclaredFormat & MlcFormatSettings & ChatTemplateSettings & OllamaSettings

/** Chat templates, and meta templates by name or written out: enough for most models. */
const basicKinds: readonly FormatKind<Resolved>[] = [chatTemplateKind, metaTemplateKind]

const unloaded = {
  conv_template: 'conversation templates of MLC are',
  conv_config: 'conversation templates of MLC are',
  mlc_config: 'conversation templates of MLC are',
  ollama_template: 'templates of Ollama are',
} as const

/** Compiles a model's conversation format, of the formats that are loaded. */
export function compileLoadedFormat(given: UncheckedFormatSettings, quirks: Quirks): Format {
  for (const key of Object.keys(unloaded) as (keyof typeof unloaded)[])
    if (given[key] !== undefined) neededFormats(placeIn(given, key), unloaded[key])
  const model = resolveName(given)
  const kinds: readonly FormatKind<Resolved>[] = loadedFormats()?.kinds ?? basicKinds
  const kind = kinds.find((one) => one.isChosen(model))
  return kind ? kind.compile(model, quirks) : undeclaredFormat(model, quirks)
}

/** The settings that `format` stands for: an MLC conversation template, or a built-in format. */
function resolveName(given: UncheckedFormatSettings): Resolved {
  const { format, ...rest } = given
  if (format === undefined) return given
  const presets: Readonly<Record<string, Preset>> = loadedFormats()?.presets ?? basicPresets
  const preset = Object.hasOwn(presets, format) ? presets[format] : undefined
  if (!preset && rest.conv_template === undefined && loadedFormats()?.isTemplate(format)) return { ...rest, conv_template: format }
  // Their kinds report that the model has two formats.
  const { conv_template, conv_config, mlc_config, chat_template, ollama_template } = given
  if ([conv_template, conv_config, mlc_config, chat_template, ollama_template].some((other) => other !== undefined)) return given
  if (!preset) throw (loadedFormats()?.unknownFormat ?? unloadedFormat)(format, placeIn(given, 'format'))
  if (rest.meta_template) {
    throw new PromptError('two-formats', {
      where: placeIn(given, 'format'),
      problem: 'the model has both a format and a meta_template',
      fix: 'keep one of them',
    })
  }
  // The preset decides whether the model takes messages, so its type does not count.
  const { type: _, ...settings } = rest
  return {
    ...settings,
    preset: { ...preset, name: format },
    meta_template: preset.meta_template,
    is_api: rest.is_api ?? preset.api === true,
  }
}

/** A format that only all of them may have. */
function unloadedFormat(name: string, where: string): PromptError {
  const names = Object.keys(basicPresets)
  const slip = nearestName(name, names)
  return new PromptError('format-not-loaded', {
    where,
    problem: `there is no format "${name}" among those that are loaded (${names.join(', ')})`,
    fix: `${slip === undefined ? '' : `did you mean "${slip}"? For formats of MLC and InternLM2, `}${loadThem}`,
  })
}
