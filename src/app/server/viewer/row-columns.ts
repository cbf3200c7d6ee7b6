import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import type { Records } from '../../node/runs/records/records.ts'
import { readQuickly } from './parse-record.ts'
import { ValueColumns } from './value-columns.ts'
import type { DatasetRows } from './viewed-rows.ts'
import type { RowColumns } from './viewer-data.ts'
import { othersTurn, rowsAtOnce } from './yield-to-event-loop.ts'

/** Notes beyond these are about single rows: they are found by their text. */
const mostNotes = 100

/** Reads what a table of rows is sorted and filtered by, in one pass over the records and one over the rows that were asked. */
export async function readRowColumns(records: Records, rows: DatasetRows | undefined): Promise<RowColumns> {
  const [promptTokens, replyTokens, cut]: [number[], number[], number[]] = [[], [], []]
  const milliseconds: (number | null)[] = []
  const notes = new Map<string, { code: string; text: string; places: number[] }>()
  const kept = new ValueColumns()
  const ids: number[] = []
  for (let place = 0; place < records.count; place++) {
    if (place % rowsAtOnce === rowsAtOnce - 1) await othersTurn()
    const record = readQuickly(records.line(place))
    ids.push(record.id)
    promptTokens.push(record.tokens?.prompt ?? 0)
    replyTokens.push(record.tokens?.reply ?? 0)
    milliseconds.push(record.cached ? null : (record.milliseconds ?? null))
    if (record.finish === 'length') cut.push(place)
    addNotes(notes, record, place)
    kept.add(record.columns as Record<string, unknown> | undefined)
  }
  const own = kept.get()
  const asked = (await askedColumns(ids, rows)).filter(({ name }) => !own.some((column) => column.name === name))
  return { promptTokens, replyTokens, milliseconds, cut, notes: [...notes.values()].slice(0, mostNotes), columns: [...own, ...asked] }
}

function addNotes(notes: Map<string, { code: string; text: string; places: number[] }>, record: Partial<RowRecord>, place: number): void {
  for (const { code, text } of record.notes ?? []) {
    const note = notes.get(code)
    if (!note) notes.set(code, { code, text, places: [place] })
    else if (note.places.at(-1) !== place) note.places.push(place)
  }
}

/** Columns of the rows as they are now; none where they cannot be read, which their own page tells. */
async function askedColumns(ids: readonly number[], rows: DatasetRows | undefined): Promise<RowColumns['columns']> {
  const columns = new ValueColumns()
  try {
    let next = 0
    for await (const { first, lines } of rows?.chunks() ?? []) {
      for (; next < ids.length && ids[next]! < first + lines.length; next++) {
        if (next % rowsAtOnce === rowsAtOnce - 1) await othersTurn()
        columns.add(fieldsOf(lines[ids[next]! - first]))
      }
    }
    for (; next < ids.length; next++) columns.add(undefined)
  } catch {
    return []
  }
  return columns.get()
}

function fieldsOf(line: string | undefined): Record<string, unknown> | undefined {
  const row = line === undefined ? undefined : (readQuickly(line) as unknown)
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Record<string, unknown>) : undefined
}
