import type { LoadedConfig } from '../config/load-config.ts'
import { textInRun } from './file-in-run.ts'
import { type RunInfo, runFiles } from './run-layout.ts'
import { writtenConfig } from './written-config.ts'

/** The addresses of models that the keys of a run's rows contain, by the names of the models. */
export type KeyServers = Readonly<Record<string, unknown>>

/**
 * The addresses in the keys of a resumed run, for models whose server stands elsewhere now. Keys contain the address with which a model was
 * asked first, so that a second move changes nothing.
 */
export function keyServers(folder: string, known: RunInfo, { config }: Pick<LoadedConfig, 'config'>): KeyServers {
  const before = { ...recordedServers(folder), ...known.servers }
  return Object.fromEntries(
    // Both as they are recorded: an address with a password is recorded without it.
    Object.entries(serversOf(JSON.parse(JSON.stringify(writtenConfig(config))))).flatMap(([name, server]) => {
      const first = before[name]
      return first === undefined || JSON.stringify(first) === JSON.stringify(server) ? [] : [[name, first]]
    }),
  )
}

function recordedServers(folder: string): KeyServers {
  try {
    return serversOf(JSON.parse(textInRun(folder, runFiles.config) ?? '{}'))
  } catch {
    // A damaged config is written again by this run, and only its rows decide what is kept.
    return {}
  }
}

function serversOf({ models = [] }: { models?: readonly object[] }): KeyServers {
  return Object.fromEntries(
    models.flatMap((model) => {
      const { abbr, base_url: server } = model as { abbr?: string; base_url?: unknown }
      return abbr === undefined || server === undefined ? [] : [[abbr, server]]
    }),
  )
}
