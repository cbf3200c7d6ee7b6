import { chooseCheckout, findCheckout } from '../own-classes.ts'
import { type PythonFlags, useOwnPython } from '../with-python/use-own-python.ts'
import { withoutJudges } from './hub-files.ts'
import { findConfig, type LoadedConfig, loadConfig } from './load-config.ts'
import { hasNamedConfigs, loadNamedConfigs, summarizerNamed } from './named-configs.ts'
import { type OpenCompassFlags, refuseBesideConfig } from './open-compass-flags.ts'
import { configFile } from './quickstart.ts'
import { readServers, type ServerFlags } from './server-flags.ts'

/** The flags that select models and datasets of a config, and the server to send requests to. */
export type ConfigFlags = ServerFlags & OpenCompassFlags & PythonFlags & { datasets?: string; summarizer?: string; allowExec?: boolean }

/** A config and the names of its selected entries; `name` is the run name when config files were selected by name. */
export type OpenedConfig = { loaded: LoadedConfig; models?: string | undefined; datasets?: string | undefined; name?: string }

/**
 * Opens the given config, or the nearest one in or above the working folder; otherwise, in an OpenCompass checkout, the config files that
 * `--models` and `--datasets` name. Undefined if there is none.
 */
export async function openConfig(config: string | undefined, flags: ConfigFlags): Promise<OpenedConfig | undefined> {
  const { datasets } = flags
  const here = process.cwd()
  if (flags.opencompass !== undefined) chooseCheckout(flags.opencompass)
  const { hfPath, customDatasetPath } = flags
  const isDescribed = hfPath !== undefined || customDatasetPath !== undefined
  const file = config === undefined ? (isDescribed ? undefined : findConfig(here)) : configFile(config)
  if (file !== undefined) {
    refuseBesideConfig(flags, file)
    const { names, servers } = readServers(flags)
    const loaded = withSummarizer(
      await loadConfig(file, servers, { models: names, datasets, pythonFlags: flags, allowExec: flags.allowExec }),
      flags.summarizer,
      here,
    )
    return { loaded, models: withoutJudges(names, loaded.config), datasets }
  }
  const data = datasets ?? customDatasetPath
  if (data === undefined || !(isDescribed || hasNamedConfigs(here))) return undefined
  const notes = useOwnPython(flags, undefined, { folder: here, where: '', checkout: findCheckout(here) })
  const named = await loadNamedConfigs(here, flags)
  const loaded = { ...named, config: { ...named.config, warnings: [...notes, ...named.config.warnings] } }
  return { loaded, name: data.replace(/[^\w.-]+/g, '+').slice(0, 80) }
}

/** `--summarizer` replaces the summarizer of a config. */
function withSummarizer(loaded: LoadedConfig, name: string | undefined, here: string): LoadedConfig {
  if (name === undefined) return loaded
  const { config } = loaded
  const { summarizer, notes } = summarizerNamed(here, name, config.datasets as { abbr?: string }[])
  return { ...loaded, config: { ...config, summarizer, warnings: [...config.warnings, ...notes] } }
}
