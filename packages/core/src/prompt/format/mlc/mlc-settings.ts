import { isDict } from '../../../base/python/index.ts'
import { camelCase } from '../../../base/text/camel-case.ts'
import { placeIn } from '../format-kind.ts'
import { type MlcSettings, readMlcConfig } from './chat-config.ts'
import type { MlcFormatSettings } from './mlc-kind.ts'
import { type MlcSamplingName, mlcSamplingOf } from './mlc-schema.ts'

/** Settings as a model's config may write them; they win over those of its mlc-chat-config.json. */
type Own = Partial<Record<MlcSamplingName | 'max_out_len' | 'max_seq_len', unknown>>

/**
 * The settings of a model that has a `mlc_config`: those of the file, unless the model's own config (or its `generation_kwargs`) says
 * otherwise. `max_out_len` is the most tokens of a reply, `max_seq_len` the window.
 *
 * @example
 * const settings = mlcSettingsOf({ mlc_config: { temperature: 0.2, top_p: 0.9 }, generation_kwargs: { top_p: 0.5 } })
 * settings?.temperature // => 0.2
 * settings?.topP // => 0.5
 */
export function mlcSettingsOf(model: MlcFormatSettings & Own & { abbr?: string; generation_kwargs?: unknown }): MlcSettings | undefined {
  if (model.mlc_config === undefined) return undefined
  const { settings } = readMlcConfig(model.mlc_config, placeIn(model, 'mlc_config'))
  const own: Own = { ...model, ...(isDict(model.generation_kwargs) ? (model.generation_kwargs as Own) : {}) }
  const number = (given: unknown, otherwise: number) => (typeof given === 'number' ? given : otherwise)
  const window = typeof own.max_seq_len === 'number' ? own.max_seq_len : settings.maxWindowSize
  return {
    ...settings,
    ...mlcSamplingOf((name) => number(own[name], settings[camelCase(name)])),
    maxGenLen: number(own.max_out_len, settings.maxGenLen),
    maxWindowSize: window,
  }
}
