import { dictEntries, dictFromEntries, isDict, isList, type PyValue, parseJson } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { dictOf, type RowDict } from '../row-values.ts'
import { fromAll, type Table } from '../table.ts'
import { decode } from './decode.ts'

/**
 * The rows of a JSON file as `load_dataset('json')` returns them: JSONL, or one list of objects. The columns are
 * those of all rows; columns that contain only dates become the text of Python's `str(datetime)`; empty lines are skipped.
 */
export function jsonTable(bytes: Uint8Array, path: string): Table {
  const text = decode(bytes, path, { encoding: 'utf-8-sig' })
  const list = wholeList(text)
  if (list) return fromAll(list.map((item, index) => dictOf(item, `${path} › ${index}`)))
  const rows = objects(text, path)
  if (rows.length === 0) throw new BadData('the file has no rows, so that its columns are not known', path)
  return withDates(fromAll(rows))
}

function wholeList(text: string): readonly PyValue[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  try {
    const value = parseJson(text)
    return isList(value) ? value : undefined
  } catch {
    return undefined
  }
}

function objects(text: string, path: string): RowDict[] {
  try {
    return text.split('\n').flatMap((line, index) => (/^[ \t]*$/.test(line) ? [] : [dictOf(strictJson(line), `${path}:${index + 1}`)]))
  } catch (error) {
    // One object over several lines is also accepted.
    try {
      return [dictOf(strictJson(text), path)]
    } catch {
      throw new BadData(`this is not JSON: ${(error as Error).message}`, path)
    }
  }
}

/** Unlike Python, Arrow does not parse NaN. */
function strictJson(text: string): PyValue {
  const value = parseJson(text)
  if (/NaN|Infinity/.test(text)) JSON.parse(text)
  return value
}

const date = /^\d{4}-\d\d-\d\d(?:[ T]\d\d(?::\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/

function withDates(table: Table): Table {
  const rows = table.rows.map((row) => new Map(dictEntries(row)))
  for (const name of table.columns) {
    const texts = rows.flatMap((row) => leaves(row.get(name) ?? null))
    if (texts.length === 0 || !texts.every((text) => date.test(text) && !Number.isNaN(Date.parse(isoOf(text))))) continue
    for (const row of rows) row.set(name, dated(row.get(name) ?? null))
  }
  return { columns: table.columns, rows: rows.map((row) => dictFromEntries(row)) }
}

/** The texts of a column; for a list, those of its items. */
function leaves(value: PyValue): string[] {
  if (typeof value === 'string') return [value]
  return isList(value) ? value.flatMap(leaves) : isDict(value) ? ['-'] : []
}

function dated(value: PyValue): PyValue {
  if (isList(value)) return value.map(dated)
  return typeof value === 'string' ? shownDate(value) : value
}

function isoOf(text: string): string {
  const [, day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d)(?::(\d\d)(?::(\d\d)(\.\d+)?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text) ?? []
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  return `${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${offset}`
}

/** A `datetime` as formatted by Python's `str`. */
function shownDate(text: string): string {
  const whole = new Date(isoOf(text)).toISOString()
  const fraction = /\.(\d+)/.exec(text)?.[1]?.padEnd(6, '0').slice(0, 6)
  return whole.slice(0, 19).replace('T', ' ') + (fraction !== undefined && Number(fraction) > 0 ? `.${fraction}` : '')
}
