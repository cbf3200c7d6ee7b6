import type { PairName } from '../../../evaluation/run/record/pair-name.ts'
import { AnnotationFile } from './annotation-file.ts'

/** The rows of a dataset that reviewers excluded, by `row_hash`, each with the reason. */
export type ExcludedRows = ReadonlyMap<string, string>

/** The excluded rows of a dataset of a run. A row is excluded if it is for one model: what is wrong with it is wrong for all. */
export function excludedRows(run: { folder: string; pairs: readonly PairName[] }, dataset: string): ExcludedRows {
  const file = new AnnotationFile(run.folder)
  const rows = run.pairs.filter((pair) => pair.dataset === dataset).flatMap((pair) => [...file.of(pair).values()])
  return new Map(rows.flatMap(({ row_hash, excluded }) => (excluded === undefined ? [] : [[row_hash, excluded]])))
}
