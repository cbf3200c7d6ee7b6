import { statSync } from 'node:fs'
import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError, UnpackBudget } from '@rolecall/core/internal/errors'
import { dictFromEntries, type PyValue, pyFloat } from '@rolecall/core/internal/python'
import { type ParquetRow, parquetRows } from '../../evaluation/dataset/parquet/parquet-rows.ts'
import { openRegularFile } from '../regular-file.ts'
import type { RowChunks } from './bad-row.ts'
import { storeMedia } from './media-store.ts'

/** Reads a Parquet file one row group at a time. */
export async function* readParquet(path: string): RowChunks {
  // Loaded on demand: few files are Parquet.
  const { asyncBufferFromFile, parquetMetadataAsync } = await import('hyparquet')
  try {
    await (await openRegularFile(path)).close()
    const file = await asyncBufferFromFile(path)
    const metadata = await parquetMetadataAsync(file)
    const budget = new UnpackBudget(path, statSync(path).size)
    const floats = new Set(metadata.schema.filter(({ type }) => type === 'DOUBLE' || type === 'FLOAT').map(({ name }) => name))
    for await (const rows of parquetRows(file, { metadata, budget })) yield converted(rows, floats, path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (error instanceof PromptError) return error
  return new PromptError('unreadable-file', {
    where: path,
    problem: `the file is not readable as Parquet (${(error as Error).message})`,
    fix: 'check that the file is complete',
  })
}

/** One after the other: values that rows share become values of each row. */
function* converted(rows: readonly ParquetRow[], floats: ReadonlySet<string>, path: string): Generator<Row> {
  for (const row of rows) yield rowOf(row)

  function rowOf(row: ParquetRow): Row {
    try {
      return dictFromEntries(Object.entries(row).map(([name, value]) => [name, parquetValue(value, floats.has(name))] as const))
    } catch (error) {
      // A date that no calendar has.
      throw unreadable(path, error)
    }
  }
}

/** An image or audio as Hugging Face writes it: its bytes, or the path of its file. */
function isMediaValue(value: object): value is { bytes: Uint8Array; path: string | null } | { bytes: null; path: string } {
  const { bytes, path, ...others } = value as { bytes?: unknown; path?: unknown }
  if (Object.keys(others).length > 0 || bytes === undefined || path === undefined) return false
  return bytes === null ? typeof path === 'string' : bytes instanceof Uint8Array
}

/** A value of a Parquet file. Floats stay floats: 1.0 is written as 1.0. Media are kept in the cache, and referenced. */
export function parquetValue(value: unknown, isFloat: boolean): PyValue {
  if (typeof value === 'number') return isFloat ? pyFloat(value) : value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map((one) => parquetValue(one, false))
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (isMediaValue(value)) return value.bytes === null ? value.path : storeMedia(value.bytes)
  if (typeof value === 'object') return dictFromEntries(Object.entries(value).map(([name, one]) => [name, parquetValue(one, false)]))
  return value as string | boolean
}
