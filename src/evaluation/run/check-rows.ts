import type { DatasetConfig } from '../config/config-schema.ts'
import { checkColumns } from './ask/check-columns.ts'
import type { Pair } from './plan-run.ts'
import type { RunEnvironment } from './run-types.ts'

/** Checks the first rows of every dataset before anything is sent: a missing column would fail, or spoil, every row. */
export async function checkFirstRows(pairs: readonly Pair[], { firstRows }: Pick<RunEnvironment, 'firstRows'>): Promise<ColumnsOf> {
  const found = new Map<DatasetConfig, ReadonlySet<string>>()
  if (!firstRows) return found
  for (const { dataset, name } of pairs)
    if (!found.has(dataset)) found.set(dataset, checkColumns(dataset, await firstRows(dataset), name.dataset).columns)
  return found
}

/** The columns of each dataset's first rows. */
export type ColumnsOf = ReadonlyMap<DatasetConfig, ReadonlySet<string>>
