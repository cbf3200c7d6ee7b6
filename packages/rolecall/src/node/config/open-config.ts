import { withoutJudges } from './hub-files.ts'
import { findConfig, type LoadedConfig, loadConfig } from './load-config.ts'
import { hasNamedConfigs, loadNamedConfigs, summarizerNamed } from './named-configs.ts'
import { configFile } from './quickstart.ts'
import { readServers, type ServerFlags } from './server-flags.ts'

/** The flags that select models and datasets of a config, and the server to send requests to. */
export type ConfigFlags = ServerFlags & { datasets?: string; summarizer?: string }

/** A config and the names of its selected entries; `name` is the run name when config files were selected by name. */
export type OpenedConfig = { loaded: LoadedConfig; models?: string | undefined; datasets?: string | undefined; name?: string }

/**
 * Opens the given config, or the nearest one in or above the working folder; otherwise, in an OpenCompass checkout, the config files that
 * `--models` and `--datasets` name. Undefined if there is none.
 */
export async function openConfig(config: string | undefined, flags: ConfigFlags): Promise<OpenedConfig | undefined> {
  const { datasets } = flags
  const here = process.cwd()
  const file = config === undefined ? findConfig(here) : configFile(config)
  if (file !== undefined) {
    const { names, servers } = readServers(flags)
    const loaded = withSummarizer(await loadConfig(file, servers, { models: names, datasets }), flags.summarizer, here)
    return { loaded, models: withoutJudges(names, loaded.config), datasets }
  }
  if (datasets === undefined || !hasNamedConfigs(here)) return undefined
  return { loaded: await loadNamedConfigs(here, flags), name: datasets.replace(/[^\w.-]+/g, '+').slice(0, 80) }
}

/** `--summarizer` replaces the summarizer of a config. */
function withSummarizer(loaded: LoadedConfig, name: string | undefined, here: string): LoadedConfig {
  if (name === undefined) return loaded
  const { config } = loaded
  const { summarizer, notes } = summarizerNamed(here, name, config.datasets as { abbr?: string }[])
  return { ...loaded, config: { ...config, summarizer, warnings: [...config.warnings, ...notes] } }
}
