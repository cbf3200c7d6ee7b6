import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { type ChatTemplateSettings, chatTemplateKind } from './chat-template/chat-template-kind.ts'
import type { Format } from './format.ts'
import { type DeclaredFormat, type FormatKind, placeIn } from './format-kind.ts'
import { formatKinds } from './format-kinds.ts'
import { type MlcFormatSettings, mlcKind } from './mlc/mlc-kind.ts'
import { findTemplate } from './mlc/mlc-templates.ts'
import { unknownFormat } from './named-format.ts'
import { type OllamaSettings, ollamaKind } from './ollama/ollama-kind.ts'
import { presets } from './presets/index.ts'
import { undeclaredFormat } from './undeclared-format.ts'

/** `FormatSettings` whose templates are not checked yet: compiling them does. */
export type UncheckedFormatSettings = Omit<DeclaredFormat, 'preset'> & MlcFormatSettings & ChatTemplateSettings & OllamaSettings

type Resolved = DeclaredFormat & MlcFormatSettings & ChatTemplateSettings & OllamaSettings

const kinds: readonly FormatKind<Resolved>[] = formatKinds

/** Compiles a model's conversation format, to render many conversations with it. */
export function compileFormat(given: UncheckedFormatSettings, quirks: Quirks): Format {
  const model = resolveName(given)
  const kind = kinds.find((one) => one.isChosen(model))
  return kind ? kind.compile(model, quirks) : undeclaredFormat(model, quirks)
}

/** The settings that `format` stands for: an MLC conversation template, or a built-in format. */
function resolveName(given: UncheckedFormatSettings): Resolved {
  const { format, ...rest } = given
  if (format === undefined) return given
  const preset = Object.hasOwn(presets, format) ? presets[format] : undefined
  if (!preset && rest.conv_template === undefined && findTemplate(format)) return { ...rest, conv_template: format }
  // These report that the model has two formats.
  if ([mlcKind, chatTemplateKind, ollamaKind].some((kind) => kind.isChosen(given))) return given
  if (!preset) throw unknownFormat(format, placeIn(given, 'format'))
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
