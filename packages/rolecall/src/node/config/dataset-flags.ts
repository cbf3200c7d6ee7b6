import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import type { TaskFlags } from '../tasks/task-datasets.ts'
import { findPreset, hasPresetFiles, openPreset } from './dataset-presets.ts'
import type { LoadedConfig } from './load-config.ts'
import { withPresetFolder } from './preset-files.ts'

/** The command-line flags that select a preset or tasks. */
export type PresetFlags = TaskFlags & { preset?: string; data?: string; mode?: string; shots?: number; subjects?: string }

/** Replaces a config's datasets by those of a preset. */
async function withPresetFlags(loaded: LoadedConfig, { preset, data, mode, shots, subjects }: PresetFlags): Promise<LoadedConfig> {
  if (preset === undefined) {
    const [flag] = Object.entries({ data, shots, subjects }).find(([, value]) => value !== undefined) ?? []
    if (flag === undefined) return loaded
    throw new PromptError('missing', {
      where: `--${flag}`,
      problem: 'this flag needs a preset',
      fix: 'add --preset NAME (`rolecall list presets` lists them)',
    })
  }
  const known = findPreset(preset)
  const downloaded: Note[] = []
  const use = {
    preset,
    path: data ?? (known && hasPresetFiles(known, process.cwd()) ? '.' : undefined),
    mode,
    shots,
    ...(subjects === undefined ? {} : { subjects: subjects.split(',').map((name) => name.trim()) }),
  }
  const given = await withPresetFolder(use, { folder: process.cwd(), note: (note) => downloaded.push(note) })
  const { datasets, groups, notes } = namingFlags(() => openPreset(given, process.cwd(), '--preset'))
  registerScoringPlugIns()
  const { warnings, ...checked } = checkConfig({ datasets, summarizer: { summary_groups: groups } }, '--preset › ')
  return {
    ...loaded,
    config: {
      ...loaded.config,
      datasets: checked.datasets,
      summarizer: checked.summarizer,
      warnings: [...loaded.config.warnings, ...downloaded, ...notes, ...warnings],
    },
  }
}

const taskFlags = {
  includePath: '--include-path',
  numFewshot: '--num-fewshot',
  applyChatTemplate: '--apply-chat-template',
  fewshotAsMultiturn: '--fewshot-as-multiturn',
  systemInstruction: '--system-instruction',
  genKwargs: '--gen-kwargs',
  dataDir: '--data-dir',
  samples: '--samples',
  metadata: '--metadata',
  pythonPackages: '--python-packages',
} as const

/** Replaces a config's datasets by those given by flags: a preset, or lm-evaluation-harness tasks. */
export async function withDatasetFlags(loaded: LoadedConfig, flags: PresetFlags): Promise<LoadedConfig> {
  const { tasks } = flags
  if (tasks === undefined) {
    const surplus = (Object.keys(taskFlags) as (keyof typeof taskFlags)[]).find((key) => flags[key] !== undefined)
    if (surplus === undefined) return withPresetFlags(loaded, flags)
    throw new PromptError('missing', { where: taskFlags[surplus], problem: 'this flag needs --tasks', fix: 'add --tasks NAME' })
  }
  if (flags.preset !== undefined)
    throw new PromptError('both', { where: '--tasks', problem: '--preset is also given', fix: 'keep one of them' })
  if (flags.fewshotAsMultiturn && !flags.applyChatTemplate)
    throw new PromptError('missing', {
      where: '--fewshot-as-multiturn',
      problem: 'plain text has no turns',
      fix: 'add --apply-chat-template',
    })
  const { taskDatasets } = await import('../tasks/task-datasets.ts')
  const { tokenizerOfModels } = await import('../tasks/task-tokenizer.ts')
  const modelTokenizer = tokenizerOfModels(loaded.config.models, loaded.folder)
  const { datasets, groups, notes } = await taskDatasets({ ...flags, tasks, ...(modelTokenizer === undefined ? {} : { modelTokenizer }) })
  const summarizer = groups.length === 0 ? {} : { summarizer: { summary_groups: groups } }
  registerScoringPlugIns()
  const { warnings, ...checked } = checkConfig({ datasets, ...summarizer }, '--tasks › ')
  const config = { ...loaded.config, datasets: checked.datasets, warnings: [...loaded.config.warnings, ...notes, ...warnings] }
  return { ...loaded, config: { ...config, summarizer: checked.summarizer } }
}

/** Names flags instead of config keys in errors; `path` is `--data`. */
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

/** `--compat opencompass`: the reference's bytes where Rolecall would differ, for every dataset. Tasks of lm-evaluation-harness have no such rules. */
export function withCompat(loaded: LoadedConfig, compat: 'opencompass' | undefined): LoadedConfig {
  if (compat === undefined) return loaded
  const { config } = loaded
  const datasets = config.datasets.map((dataset) =>
    'lm_eval' in dataset && dataset.lm_eval !== undefined ? dataset : { ...dataset, compat },
  )
  return { ...loaded, config: { ...config, datasets } }
}
