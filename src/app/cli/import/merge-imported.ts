import { basename } from 'node:path'
import type { ImportedConfig } from '../../../compat/opencompass/import/import-config.ts'
import type { ImportedEntry } from '../../../compat/opencompass/import/imported-entry.ts'

type Imported = { file: string; imported: ImportedConfig }

/** Merges configs. Identical entries (one file imports another) are kept once; entries with the same name get their file's name appended. */
export function mergeImported(all: readonly Imported[]): Pick<ImportedConfig, 'config' | 'remarks'> {
  const remarks: ImportedConfig['remarks'] = new WeakMap()
  const merge = (kind: 'models' | 'datasets') => {
    const entries: ImportedEntry[] = []
    const known = new Set<string>()
    const names = new Set<string>()
    for (const { file, imported } of all) {
      for (const entry of imported.config[kind]) {
        const content = JSON.stringify(entry)
        if (known.has(content)) continue
        known.add(content)
        const renamed = withUniqueName(entry, basename(file, '.py'), names)
        copyRemarks(imported.remarks, remarks, entry, renamed)
        entries.push(renamed)
      }
    }
    return entries
  }
  return { config: { models: merge('models'), datasets: merge('datasets') }, remarks }
}

function withUniqueName(entry: ImportedEntry, file: string, names: Set<string>): ImportedEntry {
  const { abbr } = entry
  if (typeof abbr !== 'string') return entry
  let name = abbr
  for (let number = 1; names.has(name); number++) name = number === 1 ? `${abbr}-${file}` : `${abbr}-${file}-${number}`
  names.add(name)
  return name === abbr ? entry : { ...entry, abbr: name }
}

function copyRemarks(from: ImportedConfig['remarks'], to: ImportedConfig['remarks'], value: unknown, copy: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const found = from.get(value)
  if (found) to.set(copy as object, found)
  for (const key of Object.keys(value))
    copyRemarks(from, to, (value as Record<string, unknown>)[key], (copy as Record<string, unknown>)[key])
}
