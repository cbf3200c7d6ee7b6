import { findConfig, type LoadedConfig, loadConfig } from './load-config.ts'
import { hasNamedConfigs, loadNamedConfigs } from './named-configs.ts'
import { readServers } from './server-flags.ts'

/** The flags by which commands choose what a config has, and where it is asked. */
export type ConfigFlags = { models?: string; datasets?: string; baseUrl?: string }

/** A config, and the names of those of its entries that were chosen; `name` is what a run of config files is called. */
export type OpenedConfig = { loaded: LoadedConfig; models?: string | undefined; datasets?: string | undefined; name?: string }

/**
 * The config that a command is given, or that lies in this folder or above; else, in a folder of OpenCompass's, the config files that
 * `--models` and `--datasets` name. Undefined where there is none of them.
 */
export async function openConfig(config: string | undefined, flags: ConfigFlags): Promise<OpenedConfig | undefined> {
  const { models, datasets, baseUrl } = flags
  const here = process.cwd()
  const file = config ?? findConfig(here)
  if (file !== undefined) {
    const { names, servers } = readServers(models, baseUrl)
    return { loaded: await loadConfig(file, servers), models: names, datasets }
  }
  if (datasets === undefined || !hasNamedConfigs(here)) return undefined
  return { loaded: loadNamedConfigs(here, flags), name: datasets.replace(/[^\w.-]+/g, '+').slice(0, 80) }
}
