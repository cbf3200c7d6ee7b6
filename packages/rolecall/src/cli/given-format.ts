import { withCompiler } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { inFormat } from '../evaluation/config/in-format.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { type FormatFlags, type FormatOfFlags, formatOfFlags } from '../node/formats/format-flags.ts'
import { isolatedTemplate } from '../node/templates/isolated-template.ts'

/** The format from the flags, if any; chat templates are untrusted, and run in a separate thread. */
export function givenFormat(flags: FormatFlags): FormatOfFlags | undefined {
  const given = formatOfFlags(flags)
  return given && { ...given, model: withCompiler(given.model, isolatedTemplate) }
}

/** Applies the format from the flags to all models of a config. */
export function inGivenFormat(loaded: LoadedConfig, flags: FormatFlags): LoadedConfig {
  const given = givenFormat(flags)
  if (given === undefined) return loaded
  // CheckedConfig leaves the format keys out of its type, because formats are checked when they are compiled.
  const models = inFormat(loaded.config.models as ModelConfig[], given) as LoadedConfig['config']['models']
  return { ...loaded, config: { ...loaded.config, models, warnings: [...loaded.config.warnings, ...given.notes] } }
}
