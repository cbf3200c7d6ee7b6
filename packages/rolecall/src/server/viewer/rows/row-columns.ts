import { parseCompactJson } from '@rolecall/core/internal/python'
import { notesOfRow } from '../../../evaluation/run/record/note-counts.ts'
import { columnText } from '../../../evaluation/run/record/rows-by-value.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { wrongCallReason } from '../../../evaluation/run/record/wrong-calls.ts'
import type { Records } from '../../../node/runs/records/records.ts'
import { forEachRecord, parseRecord, rowsPerSlice, type ScannedRecord, yieldToEventLoop } from '../for-each-record.ts'
import type { ViewedRows } from '../viewed-rows.ts'
import type { RowColumns } from '../viewer-data.ts'
import { ValueColumns } from './value-columns.ts'

/** Further texts are about single rows, and can be found by searching. The run counts no more of them, either. */
const maxTexts = 100

/** Collects the columns for sorting and filtering, in one pass over the records and one over the dataset's rows. `by`: columns that metrics are grouped by. */
export async function readRowColumns(records: Records, rows: ViewedRows | undefined, by: readonly string[] = []): Promise<RowColumns> {
  const [promptTokens, replyTokens, cut, cached]: [number[], number[], number[], number[]] = [[], [], [], []]
  const milliseconds: (number | null)[] = []
  const notes = new PlacesByText()
  const reasons = new PlacesByText()
  const recorded = new ValueColumns(by)
  const ids: number[] = []
  await forEachRecord(records, (record, place, line) => {
    ids.push(record.id)
    promptTokens.push(record.tokens?.prompt ?? 0)
    replyTokens.push(record.tokens?.reply ?? 0)
    milliseconds.push(record.cached ? null : (record.milliseconds ?? null))
    if (record.finish === 'length') cut.push(place)
    if (record.cached) cached.push(place)
    for (const { code, text } of notesOfRow(record)) notes.add(code, text, place)
    const reason = wrongCallReason(record)
    if (reason !== undefined) reasons.add('', reason, place)
    recorded.add(columnTexts(record, line, by))
  })
  const own = recorded.get()
  const fromRows = (await rowColumns(ids, rows)).filter(({ name }) => !own.some((column) => column.name === name))
  return {
    promptTokens,
    replyTokens,
    milliseconds,
    cut,
    cached,
    notes: notes.list().map(({ texts, ...note }) => ({ ...note, texts: texts.slice(0, maxTexts) })),
    reasons: (reasons.list()[0]?.texts ?? [])
      .map(({ text, places }) => ({ reason: text, places }))
      .sort((one, other) => other.places.length - one.places.length)
      .slice(0, maxTexts),
    columns: [...own, ...fromRows],
  }
}

/** The places of rows by a code and a text. */
class PlacesByText {
  readonly #codes = new Map<string, { places: number[]; texts: Map<string, number[]> }>()

  add(code: string, text: string, place: number): void {
    const known = this.#codes.get(code) ?? { places: [], texts: new Map<string, number[]>() }
    this.#codes.set(code, known)
    if (known.places.at(-1) !== place) known.places.push(place)
    const places = known.texts.get(text)
    if (places) places.push(place)
    else known.texts.set(text, [place])
  }

  /** Codes and their texts in the order of their first rows. */
  list(): RowColumns['notes'][number][] {
    return [...this.#codes].map(([code, { places, texts }]) => ({
      code,
      places,
      texts: [...texts].map(([text, some]) => ({ text, places: some })),
    }))
  }
}

/** The recorded columns of a row, as the tally of the run writes those that it groups by. */
function columnTexts(record: ScannedRecord, line: string, by: readonly string[]): Record<string, unknown> | undefined {
  const { columns } = record
  if (by.length === 0) return columns
  // The quick parser turns 1.0 into 1.
  const isExact = by.every((name) => !Number.isInteger(columns?.[name]))
  const exact = isExact ? columns : (parseCompactJson(line) as RowRecord).columns
  return { ...columns, ...Object.fromEntries(by.map((name) => [name, columnText(exact?.[name])])) }
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
