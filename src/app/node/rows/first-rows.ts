import { type FirstRows, firstRowsCount } from '../../../evaluation/run/ask/check-columns.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { openRows, type RowSource, type RowsConfig } from './open-rows.ts'

/** The first rows of a dataset, to detect missing columns; files are read no further. */
export async function firstRows(dataset: RowsConfig, folder: string): Promise<FirstRows> {
  const { test, train } = openRows(dataset, folder)
  const asked = await first(test)
  return train.origin === test.origin ? { asked } : { asked, examples: await first(train) }
}

async function first(source: RowSource): Promise<Row[]> {
  const rows: Row[] = []
  for await (const { row } of source) {
    rows.push(row)
    if (rows.length >= firstRowsCount) break
  }
  return rows
}
