import type { ModelConfig } from '../../../src/config/config-schema.ts'
import { mlcTemplate } from '../../../src/format/mlc/summary.ts'
import { presets } from '../../../src/format/presets/index.ts'

/** A model's format as data, under the names that sources use: what a preset stands for is spelled out. */
export function formatData(model: ModelConfig): Record<string, unknown> {
  const { format, meta_template: meta, conv_template: template, conv_config: config, mlc_config: file, chat_template: jinja } = model
  if (template !== undefined || config !== undefined || file !== undefined) {
    const named = typeof template === 'string' ? nameless(template) : template
    return {
      conv_template: named,
      ...(config === undefined ? {} : { conv_config: config }),
      ...(file === undefined ? {} : { mlc_config: file }),
    }
  }
  if (jinja !== undefined) return { chat_template: jinja, ...(model.special_tokens ? { special_tokens: model.special_tokens } : {}) }
  if (format === undefined) return { meta_template: meta ?? 'none: turns are joined by newlines' }
  const preset = Object.hasOwn(presets, format) ? presets[format] : undefined
  if (preset?.internlm2) return { format: preset.internlm2, ...(model.format_options ? { format_options: model.format_options } : {}) }
  return preset?.meta_template ? { meta_template: preset.meta_template } : { format }
}

function nameless(name: string): unknown {
  try {
    return mlcTemplate(name).template
  } catch {
    return name
  }
}
