import type { DatasetConfig } from '../config/config-schema.ts'

/** The columns of each dataset's first rows. */
export type ColumnsOf = ReadonlyMap<DatasetConfig, ReadonlySet<string>>
