import { checkConfig } from '../../config/check-config.ts'
import type { SummaryGroup } from '../../config/summary-group-schema.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { isDict } from '../../python/index.ts'
import { openPreset } from './dataset-presets.ts'
import type { LoadedConfig } from './load-config.ts'

/** A config in which every `{ preset, path }` among the datasets has become the datasets that it makes of its files; what is left out of them is noted. */
export function withPresets(config: unknown, folder: string, where: string, notes: Note[] = []): unknown {
  if (!isObject(config) || !Array.isArray(config.datasets) || !config.datasets.some(isPreset)) return config
  const groups: SummaryGroup[] = []
  const datasets = config.datasets.flatMap((entry: unknown, index) => {
    if (!isPreset(entry)) return [entry]
    const opened = openPreset(entry, folder, `${where}datasets[${index}]`)
    groups.push(...opened.groups)
    notes.push(...opened.notes)
    return opened.datasets
  })
  return { ...config, datasets, ...(groups.length > 0 ? { summarizer: withGroups(config.summarizer, groups) } : {}) }
}

/** A preset as the flags of a command name it. */
export type PresetFlags = { preset?: string; data?: string; mode?: string; shots?: number; subjects?: string }

/** A config with the datasets of a preset in place of its own. */
export function withPresetFlags(loaded: LoadedConfig, { preset, data, mode, shots, subjects }: PresetFlags): LoadedConfig {
  if (preset === undefined) {
    const [flag] = Object.entries({ data, shots, subjects }).find(([, value]) => value !== undefined) ?? []
    if (flag === undefined) return loaded
    throw new PromptError('missing', {
      where: `--${flag}`,
      problem: 'it is for a preset, and none is named',
      fix: 'add --preset NAME (`rolecall presets` lists them)',
    })
  }
  const given = {
    preset,
    path: data ?? '.',
    mode,
    shots,
    ...(subjects === undefined ? {} : { subjects: subjects.split(',').map((name) => name.trim()) }),
  }
  const { datasets, groups, notes } = namingFlags(() => openPreset(given, process.cwd(), '--preset'))
  const { warnings, ...checked } = checkConfig({ datasets, summarizer: { summary_groups: groups } }, '--preset › ')
  return {
    ...loaded,
    config: {
      ...loaded.config,
      datasets: checked.datasets,
      summarizer: checked.summarizer,
      warnings: [...loaded.config.warnings, ...notes, ...warnings],
    },
  }
}

/** What a config calls `path` a flag calls `--data`. */
function namingFlags<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    const { code, where, problem, fix } = error
    const flag = where.replace(/^--preset\.(\w+)/, (_, key: string) => (key === 'path' ? '--data' : `--${key}`))
    throw new PromptError(code, { where: flag, problem, fix })
  }
}

function withGroups(summarizer: unknown, groups: readonly SummaryGroup[]): object {
  const own = isObject(summarizer) ? summarizer : {}
  return { ...own, summary_groups: [...(Array.isArray(own.summary_groups) ? own.summary_groups : []), ...groups] }
}

function isPreset(entry: unknown): boolean {
  return isObject(entry) && 'preset' in entry
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isDict(value) && !(value instanceof Map)
}
