import { relative } from 'node:path'
import type { EntryReport } from '../../compat/opencompass/import/describe-entry.ts'
import { causeText, type Readiness, type ReadyWord, worstOf } from '../../evaluation/run/readiness.ts'
import { slashed } from '../../node/platform.ts'
import type { FileResult } from './show-report.ts'

/** A dataset config: the names it uses, and what is missing to run it. */
export type ConfigLine = {
  config: string
  datasets: number
  /** Number of other configs in this import that read it. */
  usedBy: number
  word: ReadyWord
  loader: string[]
  evaluator: string[]
  postprocessor: string[]
  /** What runs its classes and functions: ours, the interpreter for `own`, or only the user's own Python. */
  host: 'ours' | 'interpreted' | 'needs your Python'
  /** Its classes and functions that are the user's own. */
  own: string[]
  /** Why it is not ready: the cause that `run` would report, and names that are missing besides. */
  causes: string[]
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
          word: 'cannot run',
          loader: [],
          evaluator: [],
          postprocessor: [],
          host: 'ours',
          own: [],
          causes: [`${where}: ${problem}`],
        },
      ]
    }
    const { datasets, files } = result.imported
    if (datasets.length === 0) return []
    const own = files.find((file) => file.endsWith(config)) ?? files[0]!
    return [
      {
        config,
        datasets: datasets.length,
        usedBy: readBy.get(own)! - 1,
        ...namesOf(datasets),
        ...hostOf(datasets, result.readiness.datasets),
        ...verdictOf(datasets, result.readiness.datasets),
      },
    ]
  })
  return lines.sort((a, b) => b.usedBy - a.usedBy || (a.config < b.config ? -1 : 1))
}

/** The names that the datasets of a config use. */
export function namesOf(datasets: readonly EntryReport[]): Pick<ConfigLine, 'loader' | 'evaluator' | 'postprocessor'> {
  const all = (names: (entry: EntryReport) => readonly string[]) => [...new Set(datasets.flatMap(names))]
  return {
    loader: all(({ uses }) => uses?.loader ?? []),
    evaluator: all(({ uses }) => uses?.evaluator ?? []),
    postprocessor: all(({ uses }) => uses?.postprocessor ?? []),
  }
}

/** The host that the classes and functions of a config need. */
export function hostOf(datasets: readonly EntryReport[], readiness: readonly Readiness[]): Pick<ConfigLine, 'host' | 'own'> {
  const own = [...new Set(datasets.flatMap(({ uses }) => uses?.own ?? []))]
  const needsPython = readiness.some((each) => each.cause?.code === 'python-unsupported')
  return { host: needsPython ? 'needs your Python' : own.length > 0 ? 'interpreted' : 'ours', own }
}

/** The word of the worst dataset, and the causes. */
export function verdictOf(datasets: readonly EntryReport[], readiness: readonly Readiness[]): Pick<ConfigLine, 'word' | 'causes'> {
  const worst = worstOf(readiness)
  const cause = causeText(worst)
  const missing = worst.word === 'cannot run' ? new Set(datasets.flatMap((entry) => entry.missing)) : []
  return { word: worst.word, causes: [...(cause === undefined ? [] : [cause]), ...missing] }
}
