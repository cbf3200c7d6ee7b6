import { compileFormat, isServerType, mlcTemplate, namesFormat, presets, splitFormat } from '@rolecall/core/internal/format'
import type { ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'

/** A model's format as data, under the names used by sources; presets are expanded. */
export function formatData(model: ModelConfig): Record<string, unknown> {
  const { format: given } = splitFormat(model)
  const { format, conv_template: template } = given
  if (template !== undefined) return { ...given, conv_template: typeof template === 'string' ? spelledOut(template) : template }
  const isNamed = namesFormat({ ...given, meta_template: given.meta_template ?? undefined })
  if (format === undefined) return isNamed ? given : { ...given, meta_template: noFormat(model) }
  const preset = Object.hasOwn(presets, format) ? presets[format] : undefined
  if (preset?.internlm2) return { ...given, format: preset.internlm2 }
  const { format: _, ...rest } = given
  return preset?.meta_template ? { ...rest, meta_template: preset.meta_template } : given
}

/** What is sent without a format, as `undeclaredFormat` decides it. */
function noFormat(model: ModelConfig): string {
  const { kind } = compileFormat(model, new Set())
  if (kind === 'completion') return 'none: turns are joined by newlines'
  return isServerType(model.type)
    ? 'none: the messages are sent, and the server writes them in its own template'
    : 'none: turns are sent as messages'
}

function spelledOut(name: string): unknown {
  try {
    return mlcTemplate(name).template
  } catch {
    return name
  }
}
