import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { dictGet, dictHas, dictKeys, type PyValue } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../config/config-schema.ts'

/** The columns that metrics are grouped by. */
export function columnsBy({ by = [] }: DatasetConfig): readonly string[] {
  return typeof by === 'string' ? [by] : by
}

/** The column whose groups are counted for standard errors. */
function clusterOf({ cluster }: DatasetConfig): readonly string[] {
  return cluster === undefined ? [] : [cluster]
}

/** The columns of a row that its record keeps: the requested ones, and those that metrics are grouped or clustered by. */
export function keptColumns(dataset: DatasetConfig): readonly string[] {
  return [...new Set([...(dataset.keep_columns ?? []), ...columnsBy(dataset), ...clusterOf(dataset)])]
}

/** The recorded columns of a row; missing ones are omitted. */
export function columnsOf(row: Row, columns: readonly string[]): Record<string, PyValue> | undefined {
  if (columns.length === 0) return undefined
  const kept: Record<string, PyValue> = {}
  for (const column of columns) if (dictHas(row, column)) kept[column] = dictGet(row, column)!
  return kept
}

/** Refuses columns that the first rows do not have, before anything is sent. */
export function refuseUnknownColumns(dataset: DatasetConfig, rows: readonly Row[], where: string): void {
  if (rows.length === 0) return
  const { keep_columns: kept = [] } = dataset
  for (const [key, columns] of Object.entries({ by: columnsBy(dataset), keep_columns: kept, cluster: clusterOf(dataset) })) {
    for (const column of columns) {
      if (rows.some((row) => dictHas(row, column))) continue
      throw new PromptError('no-column', {
        where: `${where} › ${key}`,
        problem: `the rows have no column "${column}"`,
        fix: suggestName(column, [...new Set(rows.flatMap((row) => [...dictKeys(row)]))]),
      })
    }
  }
}
