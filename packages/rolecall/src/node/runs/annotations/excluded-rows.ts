import type { ExcludedRows } from '../../../evaluation/run/record/compare-rows.ts'
import type { PairName } from '../../../evaluation/run/record/pair-name.ts'
import { AnnotationFile } from './annotation-file.ts'

/** The excluded rows of a dataset of a run. A row is excluded if it is for one model: what is wrong with it is wrong for all. */
export function excludedRows(run: { folder: string; pairs: readonly PairName[] }, dataset: string): ExcludedRows {
  const file = new AnnotationFile(run.folder)
  const rows = run.pairs.filter((pair) => pair.dataset === dataset).flatMap((pair) => [...file.of(pair).values()])
  const found = new Map<string, Set<number>>()
  for (const { row, row_hash, excluded } of rows) {
    if (excluded !== undefined) found.set(row_hash, (found.get(row_hash) ?? new Set()).add(row))
  }
  return found
}
