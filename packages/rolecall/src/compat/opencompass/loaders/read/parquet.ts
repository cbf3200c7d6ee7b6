import { PromptError, UnpackBudget } from '@rolecall/core/internal/errors'
import { dictFromEntries, type PyValue, pyFloat } from '@rolecall/core/internal/python'
import { type ParquetRow, parquetRows } from '../../../../evaluation/dataset/parquet/parquet-rows.ts'
import { BadData } from '../bad-data.ts'
import type { Table } from '../table.ts'

/** The rows of a Parquet file; float columns stay floats. `asBase64`: bytes, such as images, become base64. */
export async function readParquetTable(bytes: Uint8Array, path: string, { asBase64 = false } = {}): Promise<Table> {
  const { parquetMetadata } = await import('hyparquet')
  try {
    // Copies, because a Node Buffer may be a view of a larger block.
    const whole = Uint8Array.from(bytes).buffer
    const metadata = parquetMetadata(whole)
    const budget = new UnpackBudget(path, bytes.length)
    const floats = new Set(metadata.schema.filter(({ type }) => type === 'DOUBLE' || type === 'FLOAT').map(({ name }) => name))
    const rows: ParquetRow[] = []
    for await (const group of parquetRows(whole, { metadata, budget, utf8: !asBase64 })) for (const row of group) rows.push(row)
    const columns = topColumns(metadata.schema)
    return {
      columns,
      rows: rows.map((row) => dictFromEntries(columns.map((name) => [name, pythonValue(row[name], name, { floats, asBase64, budget })]))),
    }
  } catch (error) {
    if (error instanceof PromptError) throw error
    throw new BadData(`it cannot be read as Parquet (${(error as Error).message})`, path)
  }
}

/** The schema is a flattened tree: each element is followed by its children. */
function topColumns(schema: readonly { name: string; num_children?: number }[]): string[] {
  const columns: string[] = []
  let at = 1
  const skip = (): void => {
    const children = schema[at++]?.num_children ?? 0
    for (let child = 0; child < children; child++) skip()
  }
  while (at < schema.length) {
    columns.push(schema[at]!.name)
    skip()
  }
  return columns
}

type Settings = { floats: ReadonlySet<string>; asBase64: boolean; budget: UnpackBudget }

function pythonValue(value: unknown, name: string, settings: Settings): PyValue {
  const { floats, asBase64, budget } = settings
  if (typeof value === 'number') return floats.has(name) ? pyFloat(value) : value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map((one) => pythonValue(one, 'element', settings))
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .replace(/\.000Z$|Z$/, '')
  if (value instanceof Uint8Array) {
    // Rows may share the value, not the text made of it.
    budget.take(value.length, `column ${name}`)
    return asBase64 ? base64(value) : new TextDecoder().decode(value)
  }
  if (typeof value === 'object') return dictFromEntries(Object.entries(value).map(([key, one]) => [key, pythonValue(one, key, settings)]))
  return value as string | boolean
}

/** Bytes as base64, in pieces: the number of arguments of a call is limited. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
