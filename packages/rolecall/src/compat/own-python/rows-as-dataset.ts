import type { Value } from '@rolecall/core/internal/python'
import type { Session } from '../../python/interpreter/session.ts'
import { DatasetValue, datasetFromList } from '../lm-eval/python/dataset-value.ts'
import type { Table } from '../opencompass/loaders/table.ts'

const read = new WeakSet<object>()

/** Rows as a dataset, which is made when the code first reads it. */
export function rowsAsDataset(session: Session, rows: readonly Value[]): DatasetValue {
  let made: Table | undefined
  const table = () => {
    read.add(rows)
    made ??= datasetFromList(session, rows).table
    return made
  }
  return new DatasetValue({
    get columns() {
      return table().columns
    },
    get rows() {
      return table().rows
    },
  })
}

/** Whether code has read these rows. */
export function wereRead(rows: readonly unknown[]): boolean {
  return read.has(rows)
}
