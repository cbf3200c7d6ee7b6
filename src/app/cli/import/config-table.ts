import { relative } from 'node:path'
import type { EntryReport } from '../../../compat/opencompass/import/describe-entry.ts'
import { slashed } from '../../node/platform.ts'
import type { FileResult } from './show-report.ts'

/** A dataset config: the names it uses, and what is missing to run it. */
export type ConfigLine = {
  config: string
  datasets: number
  /** Number of other configs in this import that read it. */
  usedBy: number
  runsAsItIs: boolean
  loader: string[]
  evaluator: string[]
  postprocessor: string[]
  /** What is missing, or why the file could not be read. */
  missing: string[]
}

/** The configs with datasets, the most used first. */
export function configTable(results: readonly FileResult[], folder: string): ConfigLine[] {
  const readBy = new Map<string, number>()
  for (const result of results)
    if ('imported' in result) for (const file of result.imported.files) readBy.set(file, (readBy.get(file) ?? 0) + 1)
  const lines = results.flatMap((result): ConfigLine[] => {
    const config = slashed(relative(folder, result.file)) || result.file
    if ('error' in result) {
      const { where, problem } = result.error
      return [
        {
          config,
          datasets: 0,
          usedBy: 0,
          runsAsItIs: false,
          loader: [],
          evaluator: [],
          postprocessor: [],
          missing: [`${where}: ${problem}`],
        },
      ]
    }
    const { datasets, files } = result.imported
    if (datasets.length === 0) return []
    const own = files.find((file) => file.endsWith(config)) ?? files[0]!
    return [{ config, datasets: datasets.length, usedBy: readBy.get(own)! - 1, ...needsOf(datasets) }]
  })
  return lines.sort((a, b) => b.usedBy - a.usedBy || (a.config < b.config ? -1 : 1))
}

/** The names that the datasets of a config use, and what is missing. */
export function needsOf(
  datasets: readonly EntryReport[],
): Pick<ConfigLine, 'runsAsItIs' | 'loader' | 'evaluator' | 'postprocessor' | 'missing'> {
  const all = (names: (entry: EntryReport) => readonly string[]) => [...new Set(datasets.flatMap(names))]
  const missing = all((entry) => [...entry.missing, ...entry.needs])
  return {
    runsAsItIs: missing.length === 0,
    loader: all(({ uses }) => uses?.loader ?? []),
    evaluator: all(({ uses }) => uses?.evaluator ?? []),
    postprocessor: all(({ uses }) => uses?.postprocessor ?? []),
    missing,
  }
}
