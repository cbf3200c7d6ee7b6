import type { DatasetConfig } from '../config/config-schema.ts'
import type { DataNote } from './examine/data-note.ts'
import type { Pair } from './plan-run.ts'

/** The columns of each dataset's first rows. */
export type ColumnsOf = ReadonlyMap<DatasetConfig, ReadonlySet<string>>

/** What was found out about the pairs of a run before the first request. */
export type PreparedPairs = { columns: ColumnsOf; findings: ReadonlyMap<Pair, readonly DataNote[]> }
