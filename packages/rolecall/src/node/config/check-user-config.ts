import type { Note } from '@rolecall/core/internal/errors'
import { isDict } from '@rolecall/core/internal/python'
import { type CheckedConfig, checkConfig } from '../../evaluation/config/check-config.ts'
import { checkRoles } from '../../evaluation/config/check-roles.ts'
import type { SummaryGroup } from '../../evaluation/config/summary-group-schema.ts'
import { checkNames } from '../../evaluation/run/check-names.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { openPreset } from './dataset-presets.ts'

registerScoringPlugIns()

/** Expands the presets of a user's config and runs every check that needs neither data nor models. */
export function checkUserConfig(config: unknown, folder: string, where: string): CheckedConfig {
  const notes: Note[] = []
  const checked = checkConfig(withPresets(config, folder, where, notes), where)
  const { warnings, unused } = checkNames(checked, where)
  const roles = checkRoles(checked, where)
  return { ...checked, warnings: [...notes, ...checked.warnings, ...warnings, ...roles], unused: [...checked.unused, ...unused] }
}

/** Replaces every `{ preset, path }` of a config by the datasets made from its files; notes list what was left out. */
function withPresets(config: unknown, folder: string, where: string, notes: Note[]): unknown {
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

function withGroups(summarizer: unknown, groups: readonly SummaryGroup[]): object {
  const own = isObject(summarizer) ? summarizer : {}
  return { ...own, summary_groups: [...(Array.isArray(own.summary_groups) ? own.summary_groups : []), ...groups] }
}

function isPreset(entry: unknown): boolean {
  return isObject(entry) && 'preset' in entry
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return isDict(value) && !(value instanceof Map)
}
