import type { Site } from 'rolecall/internal/server/viewer/viewer-data'

/** The model and dataset settings that differ between two pairs, by name; template changes show in the prompts. */
export function settingsThatDiffer(
  site: Pick<Site, 'runs' | 'configs'>,
  first: readonly [run: number, pair: number],
  second: readonly [run: number, pair: number],
): string[] {
  const [one, other] = [settingsOf(site, first), settingsOf(site, second)]
  const names = [...new Set([...one.keys(), ...other.keys()])]
  return names.filter((name) => one.get(name) !== other.get(name))
}

const names = new Set(['abbr'])

function settingsOf({ runs, configs }: Pick<Site, 'runs' | 'configs'>, [number, pair]: readonly [number, number]): Map<string, string> {
  const run = runs[number]!
  const { modelIndex, datasetIndex } = run.pairs[pair]!
  const config = configs[run.config]
  const settings = new Map<string, string>()
  const add = (value: object | undefined, prefix: string) => {
    for (const [key, one] of Object.entries(value ?? {})) if (!names.has(key)) settings.set(`${prefix}${key}`, JSON.stringify(one))
  }
  // Both have keys such as `path`.
  add(config?.models[modelIndex]?.config, 'model.')
  const { infer_cfg: asked, ...dataset } = config?.datasets[datasetIndex]?.config ?? { infer_cfg: {} }
  add(dataset, 'dataset.')
  add(asked, 'dataset.infer_cfg.')
  return settings
}
