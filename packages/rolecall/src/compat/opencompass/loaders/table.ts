import type { Row } from '@rolecall/core/internal/conversation'
import { dictFromEntries, type PyValue } from '@rolecall/core/internal/python'
import { type ArrowType, arrowType, convert, unify } from './arrow-type.ts'
import { BadData } from './bad-data.ts'
import { placeOf, type RowDict } from './row-values.ts'

/** Rows with the same columns: a Hugging Face `Dataset`. */
export type Table = { readonly columns: readonly string[]; readonly rows: readonly Row[] }

/** Split → its rows: a `DatasetDict`. */
export type Splits = Readonly<Record<string, Table>>

/**
 * `Dataset.from_list`: the columns are the keys of the first row. Additional keys of later rows are dropped, missing ones are
 * null, and all values of a column get one type: text mixed with numbers is an error, an int among floats becomes a float.
 */
export function fromList(rows: readonly RowDict[]): Table {
  return typed([...(rows[0]?.keys() ?? [])], rows)
}

/** Tables as pyarrow builds them from JSON lines: the columns of all rows. */
export function fromAll(rows: readonly RowDict[]): Table {
  const columns = new Set<string>()
  for (const row of rows) for (const name of row.keys()) columns.add(name)
  return typed([...columns], rows)
}

/** `Dataset.from_dict`: columns of equal length. */
export function fromColumns(columns: Readonly<Record<string, readonly PyValue[]>>): Table {
  const names = Object.keys(columns)
  const length = names.length > 0 ? columns[names[0]!]!.length : 0
  const uneven = names.find((name) => columns[name]!.length !== length)
  if (uneven !== undefined) throw new BadData(`column "${uneven}" has ${columns[uneven]!.length} values, "${names[0]}" ${length}`)
  return typed(
    names,
    Array.from({ length }, (_, index) => new Map(names.map((name) => [name, columns[name]![index]!]))),
  )
}

/** Concatenates tables, which must have the same columns. */
export function concatenate(tables: readonly Table[]): Table {
  const columns = new Set(tables.flatMap((table) => table.columns))
  const rows = tables.flatMap((table) => table.rows)
  return typed(
    [...columns],
    rows.map((row) => new Map(Object.entries(row))),
  )
}

/** `Dataset.map` with a function that modifies a row. */
export function mapTable(table: Table, change: (row: RowDict, index: number) => RowDict | undefined): Table {
  if (table.rows.length === 0) return table
  const rows = dictsOf(table).map((row, index) => change(row, index) ?? row)
  return fromAll(rows)
}

export function filterTable(table: Table, keep: (row: RowDict) => boolean): Table {
  const kept = dictsOf(table)
  return { columns: table.columns, rows: table.rows.filter((_, index) => keep(kept[index]!)) }
}

/** The rows of a table as mutable dicts. */
export function dictsOf({ columns, rows }: Table): RowDict[] {
  return rows.map(
    (row) => new Map(columns.map((name) => [name, (row instanceof Map ? row.get(name) : (row as Record<string, PyValue>)[name]) ?? null])),
  )
}

/** The table with renamed columns. */
export function renameColumns(table: Table, names: Readonly<Record<string, string>>): Table {
  const unknown = Object.keys(names).find((name) => !table.columns.includes(name))
  if (unknown !== undefined) throw new BadData(`there is no column "${unknown}"`)
  const columns = table.columns.map((name) => names[name] ?? name)
  return { columns, rows: dictsOf(table).map((row) => dictFromEntries(table.columns.map((name) => [names[name] ?? name, row.get(name)!]))) }
}

function typed(columns: readonly string[], rows: readonly RowDict[]): Table {
  const types = columns.map((name) => columnType(name, rows))
  return {
    columns,
    rows: rows.map((row) => dictFromEntries(columns.map((name, index) => [name, convert(row.get(name) ?? null, types[index]!)]))),
  }
}

function columnType(name: string, rows: readonly RowDict[]): ArrowType {
  let type: ArrowType = 'null'
  for (const row of rows) {
    const value = row.get(name)
    const next = value === undefined || value === null ? 'null' : arrowType(value)
    if (next === type || next === 'null') continue
    const both = unify(type, next)
    if (both === undefined) throw new BadData(`column "${name}" has values of several types`, placeOf(row))
    type = both
  }
  return type
}
