import { Readable } from 'node:stream'
import { pyStr } from '@rolecall/core/internal/python'
import { outcomesOf } from '../../../evaluation/run/record/outcome.ts'
import { readingOf } from '../../../evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { csvCell } from '../../../evaluation/run/record/summary-csv.ts'
import type { OpenRun } from '../open-run.ts'
import { shortAnswer, shortText } from '../short-text.ts'
import type { ViewedRows } from '../viewed-rows.ts'
import type { PageAnnotation, PairAnnotations } from '../viewer-data.ts'
import { chooseRows, tableOf, withKnownColumn } from './choose-rows.ts'
import { type FilterQuery, filterOf } from './row-filter.ts'
import { type Scored, verdictOf } from './row-verdict.ts'

/** A model on a dataset of a run, the rows of the dataset if they can be read, and the annotations. */
export type PairRows = { run: OpenRun; pair: number; rows: ViewedRows | undefined; annotations: PairAnnotations }

/** The places of the rows that the page shows for an address, in their order, and what their scores mean. */
export async function rowsOfQuery(
  { run, pair, rows, annotations }: PairRows,
  query: FilterQuery,
): Promise<{ places: number[]; scored: Scored }> {
  const scored = (await run.state()).pairs[pair]?.figure
  const columns = await run.columns(pair, rows)
  const { filter, order } = filterOf(query)
  const { text, pattern } = query
  const search = text === undefined ? undefined : await run.find(pair, { text, isPattern: pattern !== undefined }, rows)
  const wanted = { ...withKnownColumn(filter, columns), found: search && new Set(search.places) }
  return { places: chooseRows(tableOf(run.scores(pair), scored, annotations.rows), columns, wanted, order), scored }
}

/** Rows read at once. */
const rowsPerRead = 200

/** The rows of an address as a file: records as the run wrote them (`jsonl`), or a table for spreadsheets (`csv`). */
export async function downloadRows(of: PairRows, query: FilterQuery, kind: 'csv' | 'jsonl'): Promise<Response> {
  const chosen = await rowsOfQuery(of, query)
  const { model, dataset } = of.run.info.pairs[of.pair]!
  const name = `${model}-${dataset}-rows`.replace(/[^\w.-]+/g, '_')
  const lines = kind === 'jsonl' ? recordLines(of, chosen.places) : csvLines(of, chosen)
  return new Response(Readable.toWeb(Readable.from(lines).map((text: string) => Buffer.from(text))) as ReadableStream, {
    headers: {
      'content-type': kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'content-disposition': `attachment; filename="${name}.${kind}"`,
    },
  })
}

async function* recordLines({ run, pair }: PairRows, places: readonly number[]): AsyncGenerator<string> {
  for (let from = 0; from < places.length; from += rowsPerRead) {
    yield run
      .recordsAt(pair, places.slice(from, from + rowsPerRead))
      .map(({ line }) => `${line}\n`)
      .join('')
  }
}

const names = [
  'row',
  'question',
  'expected',
  'extracted',
  'answer',
  'reasoning',
  'verdict',
  'score',
  'outcome',
  'finish',
  'prompt_tokens',
  'reply_tokens',
  'milliseconds',
  'notes',
  'error',
  'columns',
  'review',
  'star',
  'tags',
  'reviewer_note',
  'excluded',
] as const

async function* csvLines({ run, pair, rows, annotations }: PairRows, { places, scored }: Awaited<ReturnType<typeof rowsOfQuery>>) {
  yield `${names.join(',')}\n`
  const noted = new Map(annotations.rows.map((one) => [one.row, one]))
  for (let from = 0; from < places.length; from += rowsPerRead) {
    const found = run.recordsAt(pair, places.slice(from, from + rowsPerRead))
    const questions = await rows?.questions(found.map(({ record }) => record.id)).catch(() => undefined)
    yield found.map(({ record }, index) => csvLine(record, questions?.[index] ?? '', scored, noted.get(record.id))).join('')
  }
}

function csvLine(record: RowRecord, question: string, scored: Scored, annotation: PageAnnotation | undefined): string {
  const { id, gold, reasoning, score, finish, tokens, milliseconds, cached, notes = [], error, columns } = record
  const reading = readingOf(record)
  const outcomes = outcomesOf(record)
  const cells: Record<(typeof names)[number], string | number | undefined> = {
    row: id,
    question,
    expected: gold === undefined ? undefined : shortText(gold),
    extracted: reading === undefined ? undefined : shortText(reading),
    answer: shortAnswer(record),
    reasoning: reasoning === undefined ? undefined : shortText(reasoning),
    verdict: verdictOf({ score, outcomes, failed: error !== undefined }, scored),
    score,
    outcome: outcomes.join(' '),
    finish,
    prompt_tokens: tokens.prompt,
    reply_tokens: tokens.reply,
    milliseconds: cached ? undefined : milliseconds,
    notes: notes.map(({ code }) => code).join(' '),
    error,
    columns:
      columns &&
      Object.entries(columns)
        .map(([name, value]) => `${name}: ${pyStr(value)}`)
        .join('; '),
    review: annotation?.isOutdated ? undefined : annotation?.verdict,
    star: annotation?.star ? 'yes' : undefined,
    tags: annotation?.tags?.join('; '),
    reviewer_note: annotation?.note,
    excluded: annotation?.excluded,
  }
  return `${names.map((name) => csvCell(cells[name])).join(',')}\n`
}
