import type { Note } from '@rolecall/core/internal/errors'
import type { DatasetPreset, FileLayout } from '../../compat/benchmarks/index.ts'
import { localFolder } from '../hub/local-paths.ts'
import { matchesPattern } from '../rows/expand-paths.ts'
import { isObject } from './check-user-config.ts'
import { findPreset } from './dataset-presets.ts'

export type PresetFileOptions = { folder: string; note: (note: Note) => void }

/** Downloads the files of the presets in a config that have no path, or the name of a dataset on a hub as their path. Paths become local. */
export async function withPresetFiles(config: unknown, options: PresetFileOptions): Promise<unknown> {
  if (!isObject(config) || !Array.isArray(config.datasets)) return config
  const datasets = await Promise.all(config.datasets.map((entry: unknown) => withPresetFolder(entry, options)))
  return { ...config, datasets }
}

/** As `withPresetFiles`, for one entry of `datasets`. Mistakes in it are found by the schema, later. */
export async function withPresetFolder(entry: unknown, { folder, note }: PresetFileOptions): Promise<unknown> {
  if (!isObject(entry) || typeof entry.preset !== 'string') return entry
  const preset = findPreset(entry.preset)
  const { path = preset?.hub && `hf://datasets/${preset.hub.name}`, subjects } = entry
  if (preset === undefined || typeof path !== 'string') return entry
  const names = Array.isArray(subjects) && subjects.every((subject) => typeof subject === 'string') ? subjects : undefined
  const found = await localFolder(path, (paths) => filesOfPreset(preset, paths, names), { folder, note })
  return { ...entry, path: found ?? path }
}

/** The files of the first layout that a repository has. */
function filesOfPreset(preset: DatasetPreset, paths: readonly string[], subjects?: readonly string[]): readonly string[] {
  const matching = (pattern: string | undefined, names?: readonly string[]) => {
    if (pattern === undefined) return []
    const whole = pattern.replaceAll('{subject}', names === undefined ? '*' : `{${names.join(',')}}`)
    return paths.filter((path) => matchesPattern(path, whole) && !preset.not?.some((name) => path.startsWith(`${name}/`)))
  }
  const filesOf = ({ test, train, hint, answers }: FileLayout, names?: readonly string[]) =>
    [test, train, hint, answers].flatMap((pattern) => matching(pattern, names))
  const layout = preset.layouts.find(({ test }) => matching(test).length > 0)
  if (layout === undefined) return []
  const chosen = filesOf(layout, subjects)
  // A subject that does not exist is an error once the folder is read, and that lists the others.
  return chosen.length > 0 ? chosen : filesOf(layout)
}
