import { inFormat } from '../../../src/format/in-format.ts'
import { presets } from '../../../src/format/presets/index.ts'
import type { ConfigSite, ModelSite } from '../../../src/server/viewer/wire.ts'

export const formatNames = Object.keys(presets).map((name) => [name, name] as const)

/** A model of a config by its name, else the first; in another shipped format where one is named. */
export function chosenModel(config: ConfigSite, name: string | undefined, format: string | undefined): ModelSite | undefined {
  const model = config.models.find((one) => one.name === name) ?? config.models[0]
  if (!model || format === undefined || !Object.hasOwn(presets, format)) return model
  const [written] = inFormat([model.config], { name: format, model: { format } })
  return { ...model, config: written! }
}
