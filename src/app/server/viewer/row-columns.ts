import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import type { Records } from '../../node/runs/records/records.ts'
import { forEachRecord, parseRecord, rowsPerSlice, yieldToEventLoop } from './for-each-record.ts'
import { ValueColumns } from './value-columns.ts'
import type { ViewedRows } from './viewed-rows.ts'
import type { RowColumns } from './viewer-data.ts'

/** Further notes are about single rows, and can be found by searching. */
const maxNotes = 100

/** Collects the columns for sorting and filtering, in one pass over the records and one over the dataset's rows. */
export async function readRowColumns(records: Records, rows: ViewedRows | undefined): Promise<RowColumns> {
  const [promptTokens, replyTokens, cut]: [number[], number[], number[]] = [[], [], []]
  const milliseconds: (number | null)[] = []
  const notes = new Map<string, { code: string; text: string; places: number[] }>()
  const recorded = new ValueColumns()
  const ids: number[] = []
  await forEachRecord(records, (record, place) => {
    ids.push(record.id)
    promptTokens.push(record.tokens?.prompt ?? 0)
    replyTokens.push(record.tokens?.reply ?? 0)
    milliseconds.push(record.cached ? null : (record.milliseconds ?? null))
    if (record.finish === 'length') cut.push(place)
    addNotes(notes, record, place)
    recorded.add(record.columns as Record<string, unknown> | undefined)
  })
  const own = recorded.get()
  const fromRows = (await rowColumns(ids, rows)).filter(({ name }) => !own.some((column) => column.name === name))
  return { promptTokens, replyTokens, milliseconds, cut, notes: [...notes.values()].slice(0, maxNotes), columns: [...own, ...fromRows] }
}

function addNotes(notes: Map<string, { code: string; text: string; places: number[] }>, record: Partial<RowRecord>, place: number): void {
  for (const { code, text } of record.notes ?? []) {
    const note = notes.get(code)
    if (!note) notes.set(code, { code, text, places: [place] })
    else if (note.places.at(-1) !== place) note.places.push(place)
  }
}

/** Columns of the dataset's current rows; none if they cannot be read, which the dataset's page reports. */
async function rowColumns(ids: readonly number[], rows: ViewedRows | undefined): Promise<RowColumns['columns']> {
  const columns = new ValueColumns()
  try {
    let next = 0
    for await (const { first, lines } of rows?.chunks() ?? []) {
      for (; next < ids.length && ids[next]! < first + lines.length; next++) {
        if (next % rowsPerSlice === rowsPerSlice - 1) await yieldToEventLoop()
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
  const row = line === undefined ? undefined : (parseRecord(line) as unknown)
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Record<string, unknown>) : undefined
}
