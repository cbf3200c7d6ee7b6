import type { Row } from '@rolecall/core/internal/conversation'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
  pyStr,
} from '@rolecall/core/internal/python'
import { z } from 'zod'
import { readLiteral } from '../../python/syntax/literal.ts'
import type { Unfit } from './row-formats/row-format.ts'

const mappedSchema = z.union([
  z.string(),
  z.array(z.string()).min(1),
  z.strictObject({
    from: z.string().describe('The column, or a path inside it: `data.question`.'),
    parse: z.boolean().optional().describe('The value is JSON or a Python literal in a string, as in CSV files.'),
    values: z
      .record(z.string(), z.string())
      .optional()
      .describe('The text for each value, e.g. { 0: negative, 1: positive }; a value without an entry makes a bad row.'),
  }),
])

export const mapColumnsSchema = z.record(z.string(), mappedSchema)

/** New columns of a row by name: a path inside the row, a list of paths, or a path with a conversion. */
export type ColumnMap = z.infer<typeof mapColumnsSchema>

/**
 * Adds columns made from others.
 * @example mapColumns({ data: { q: '1+1=?' }, op1: '1', op2: '2' }, { question: 'data.q', choices: ['op1', 'op2'] }) // => { data: { q: '1+1=?' }, op1: '1', op2: '2', question: '1+1=?', choices: ['1', '2'] }
 */
export function mapColumns(row: Row, map: ColumnMap): Row | Unfit {
  const made: [string, PyValue][] = []
  for (const [name, mapped] of Object.entries(map)) {
    const value = readMapped(row, name, mapped)
    if (value === undefined) continue
    if (value instanceof Unmapped) return value.unfit
    made.push([name, value])
  }
  return dictFromEntries([...dictEntries(row).filter(([name]) => !Object.hasOwn(map, name)), ...made])
}

/** The value at a path; a column whose name has dots comes first. */
export function valueAtPath(row: PyDict, path: string): PyValue | undefined {
  if (dictHas(row, path)) return dictGet(row, path)
  let value: PyValue | undefined = row
  for (const step of path.split('.')) {
    if (isDict(value)) value = dictGet(value, step)
    else if (isList(value) && /^\d+$/.test(step)) value = value[Number(step)]
    else return undefined
  }
  return value
}

/** The value of JSON or a Python literal; undefined if the text is neither. */
export function parseText(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return readLiteral(text)
  }
}

/** Why a column cannot be made. */
class Unmapped {
  constructor(readonly unfit: Unfit) {}
}

function readMapped(row: Row, name: string, mapped: ColumnMap[string]): PyValue | Unmapped | undefined {
  if (typeof mapped === 'string') return valueAtPath(row, mapped)
  // Rows with fewer choices than columns leave the last ones empty.
  if (Array.isArray(mapped)) {
    const values = mapped.map((path) => valueAtPath(row, path) ?? '')
    return values.slice(0, values.findLastIndex((value) => value !== '') + 1)
  }
  const given = valueAtPath(row, mapped.from)
  if (given === undefined || given === null) return given
  const value = mapped.parse && typeof given === 'string' ? parseText(given) : given
  if (value === undefined)
    return new Unmapped({
      problem: `map_columns.${name}: "${mapped.from}" is neither JSON nor a Python literal`,
      fix: 'correct the value, or remove `parse`',
    })
  if (mapped.values === undefined) return value
  const key = pyStr(value)
  if (Object.hasOwn(mapped.values, key)) return mapped.values[key]
  return new Unmapped({
    problem: `map_columns.${name}: ${JSON.stringify(key)} has no entry in \`values\` (${Object.keys(mapped.values).join(', ')})`,
    fix: 'add it to `values`',
  })
}
