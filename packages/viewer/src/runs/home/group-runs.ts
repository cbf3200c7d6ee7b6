import { distinctModels } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { RunSite } from 'rolecall/internal/server/viewer/viewer-data'
import { modelName } from '../../texts/model-name.ts'

/** Whole runs by their datasets or models; scores over time by dataset or model. */
export const groupings = ['datasets', 'models', 'dataset', 'model'] as const
export type Grouping = (typeof groupings)[number]

type Run = { run: Pick<RunSite, 'pairs'> }

/** Runs with the same datasets or models together, in the order of their first runs; all in one group without a name otherwise. */
export function groupRuns<One extends Run>(runs: readonly One[], by: Grouping | undefined): { name: string | undefined; runs: One[] }[] {
  const groups = new Map<string | undefined, One[]>()
  for (const one of runs) {
    const { pairs } = one.run
    const name =
      by === 'datasets'
        ? [...new Set(pairs.map(({ dataset }) => dataset))].sort().join(', ')
        : by === 'models'
          ? distinctModels(pairs).map(modelName).sort().join(', ')
          : undefined
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return [...groups].map(([name, own]) => ({ name, runs: own }))
}
