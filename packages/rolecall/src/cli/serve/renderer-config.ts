import { basename } from 'node:path'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { formatFlagsIn } from '../../node/formats/format-flags.ts'
import { type ModelFlags, modelConfigOf, modelOfFlags } from '../../node/models/model-flags.ts'
import { printWarnings } from '../terminal.ts'

/** The model of a server without an engine: a chat template brings the tokenizer that lies beside it. */
export function rendererConfig(flags: ModelFlags, folder: string): ModelConfig {
  if (flags.model !== undefined || formatFlagsIn(flags).length === 0) return modelConfigOf(flags, folder, printWarnings)
  const { config, format } = modelOfFlags(flags, folder)
  printWarnings(format?.notes ?? [])
  const { type: _, path: __, ...rest } = config
  const beside = format?.read.kind === 'templates' ? format.read.tokenizer : undefined
  const [[, place] = []] = formatFlagsIn(flags)
  const abbr = place === undefined ? undefined : basename(place)
  return { ...rest, abbr, tokenizer_path: config.tokenizer_path ?? beside }
}
