import { presets } from '@rolecall/core/internal/format'
import { inFormat } from 'rolecall/internal/evaluation/config/in-format'
import type { ConfigSite, ModelSite } from 'rolecall/internal/server/viewer/viewer-data'
import { findNamed } from '../names.ts'

export const formatNames = Object.keys(presets).map((name) => [name, name] as const)

/** Whether a format in a link is supported here; none means the model's own. */
export function isFormat(name: string | undefined): boolean {
  return name === undefined || Object.hasOwn(presets, name)
}

/** A model of a config by name, or the first; in another built-in format if one is given. */
export function chosenModel(config: ConfigSite, name: string | undefined, format: string | undefined): ModelSite | undefined {
  const model =
    config.models[
      findNamed(
        config.models.map((one) => one.name),
        name,
      ).index
    ]
  if (!model || format === undefined || !isFormat(format)) return model
  const [written] = inFormat([model.config], { name: format, model: { format } })
  return { ...model, config: written! }
}
