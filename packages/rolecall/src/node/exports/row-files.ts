import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { SchemaElement } from 'hyparquet'
import type { WrittenRow } from '../../workbench/training/export-rows.ts'

/** A file of exported rows, named `.part` until it is complete. */
export type RowFile = { add(row: WrittenRow): void; close(): void }

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
  let rows: ColumnRow[] = []
  let opened: { writer: InstanceType<typeof ParquetWriter>; names: ColumnName[] } | undefined
  const open = (first: readonly ColumnRow[]) => {
    // A key without a value is a column whose values may come later.
    const names = columnNames.filter(
      (name) => first.some((row) => name in row) || (name === 'weights' && first.some((row) => 'ids' in row)),
    )
    const root: SchemaElement = { name: 'root', num_children: names.length }
    const example = (name: ColumnName) => first.find((row) => row[name] !== undefined)?.[name]
    const schema = [root, ...names.flatMap((name) => columns[name](name, example(name)))]
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
      refuseOtherColumns(row, opened?.names)
      rows.push(row)
      if (rows.length >= groupLength) flush()
    },
    close() {
      flush().finish()
      renameSync(`${path}.part`, path)
    },
  }
}

/** The columns of a file are fixed when its first rows are written. */
function refuseOtherColumns(row: WrittenRow, names: readonly string[] | undefined): void {
  const other = names && Object.entries(row).find(([name, value]) => value !== undefined && !names.includes(name))?.[0]
  if (other === undefined) return
  throw new PromptError('other-columns', {
    where: other,
    problem: 'the first rows of this file have no such column',
    fix: 'export conversations and recorded chats to different files, or as .jsonl',
  })
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

const flag: Column = (name) => [{ name, type: 'BOOLEAN', repetition_type: 'REQUIRED' }]
const optional =
  (column: Column): Column =>
  (name, example) => {
    const [first, ...rest] = column(name, example)
    return first === undefined ? [] : [{ ...first, repetition_type: 'OPTIONAL' }, ...rest]
  }

/** The Parquet column of each key; packed rows have a list of row numbers. */
const columns = {
  row: (name, example) => (Array.isArray(example) ? list(number)(name, example) : number(name, example)),
  text,
  ids: list(number),
  mask: (name, example) => list(Array.isArray(example) && typeof example[0] === 'boolean' ? flag : number)(name, example),
  weights: optional(list(real)),
  spans: optional(list(list(number))),
  documents: list(list(number)),
  origins: json,
  prompt_length: optional(number),
  input_ids: list(number),
  attention_mask: list(number),
  labels: list(number),
  token_ids: list(number),
  prompt_ids: list(number),
  completion_ids: list(number),
  response_ids: list(number),
  response_mask: list(number),
  env_mask: list(number),
  logprobs: optional(list(real)),
  response_logprobs: optional(list(real)),
  temperatures: list(real),
  env_name: text,
  num_turns: number,
  metrics: json,
  reward: optional(real),
  reward_score: optional(real),
  nodes: json,
  leaves: list(number),
} satisfies Readonly<Record<string, Column>>

type ColumnName = keyof typeof columns
type ColumnRow = { readonly [Name in ColumnName]?: unknown }

const columnNames = Object.keys(columns) as ColumnName[]
