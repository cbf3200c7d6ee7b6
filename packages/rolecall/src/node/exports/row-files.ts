import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import type { SchemaElement } from 'hyparquet'
import type { ExportedRow } from '../../workbench/training/export-rows.ts'

/** A file of exported rows, named `.part` until it is complete. */
export type RowFile = { add(row: ExportedRow): void; close(): void }

export type RowFileKind = 'jsonl' | 'parquet'

/** Opens a file for rows, which must all have the same keys. */
export async function openRowFile(path: string, kind: RowFileKind): Promise<RowFile> {
  return kind === 'jsonl' ? jsonLines(path) : parquet(path)
}

/** Size of the write buffer; bytes, because buffered strings would be promoted to the old generation. */
const blockLength = 1 << 20

function jsonLines(path: string): RowFile {
  const file = openSync(`${path}.part`, 'w')
  const block = Buffer.allocUnsafe(blockLength)
  let length = 0
  const flush = () => {
    writeAll(file, block.subarray(0, length))
    length = 0
  }
  return {
    add(row) {
      const line = `${JSON.stringify(row)}\n`
      // A UTF-16 code unit takes at most three bytes.
      if (length + line.length * 3 > blockLength) flush()
      if (line.length * 3 > blockLength) writeAll(file, Buffer.from(line))
      else length += block.write(line, length)
    },
    close() {
      flush()
      fsyncSync(file)
      closeSync(file)
      renameSync(`${path}.part`, path)
    },
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Rows per row group, which is written at once, column by column. */
const groupLength = 1000

async function parquet(path: string): Promise<RowFile> {
  const { ParquetWriter, fileWriter } = await import('hyparquet-writer')
  let rows: ExportedRow[] = []
  let opened: { writer: InstanceType<typeof ParquetWriter>; names: (keyof ExportedRow)[] } | undefined
  const open = ([first]: readonly ExportedRow[]) => {
    const names = columnNames.filter((name) => first?.[name] !== undefined || name === 'weights')
    const root: SchemaElement = { name: 'root', num_children: names.length }
    const schema = [root, ...names.flatMap((name) => columns[name](name, first?.[name]))]
    opened = { writer: new ParquetWriter({ writer: fileWriter(`${path}.part`), schema }), names }
    return opened
  }
  const flush = () => {
    const { writer, names } = opened ?? open(rows)
    const columnData = names.map((name) => ({ name, data: rows.map((row) => row[name]) as never }))
    if (rows.length > 0) writer.write({ columnData, rowGroupSize: groupLength })
    rows = []
    return writer
  }
  return {
    add(row) {
      rows.push(row)
      if (rows.length >= groupLength) flush()
    },
    close() {
      flush().finish()
      renameSync(`${path}.part`, path)
    },
  }
}

type Column = (name: string, example: unknown) => SchemaElement[]

const text: Column = (name) => [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' }]
const number: Column = (name) => [{ name, type: 'INT32', repetition_type: 'REQUIRED' }]
const real: Column = (name) => [{ name, type: 'DOUBLE', repetition_type: 'REQUIRED' }]
const json: Column = (name) => [{ name, type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type: 'REQUIRED' }]

function list(of: Column): Column {
  return (name, example) => [
    { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...of('element', example),
  ]
}

/** The Parquet column of each key; packed rows have a list of row numbers. */
const columns: { [Name in keyof ExportedRow]-?: Column } = {
  row: (name, example) => (Array.isArray(example) ? list(number)(name, example) : number(name, example)),
  text,
  ids: list(number),
  mask: list(number),
  // Optional: most rows have no weights, and the schema is fixed before all rows are known.
  weights: (name, example) =>
    list(real)(name, example).with(0, { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' }),
  spans: list(list(number)),
  documents: list(list(number)),
  origins: json,
}

const columnNames = Object.keys(columns) as (keyof ExportedRow)[]
