import { check } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import { readingOf } from '../../../evaluation/run/record/row-differences.ts'
import { csvCell } from '../../../evaluation/run/record/summary-csv.ts'
import { compareSides } from '../compare-sides.ts'
import type { PairRows } from '../rows/download-rows.ts'
import type { FilterQuery } from '../rows/row-filter.ts'
import { shortAnswer, shortText } from '../short-text.ts'
import { locateRow } from './grid-table.ts'
import { lineOfQuery } from './line-of-query.ts'
import { type PartRows, rowsOfLine } from './rows-of-line.ts'
import { orderOfQuery } from './sort-rows.ts'

/** What the page shows: the pair of each column on each dataset, as numbers of run and pair, and the names of the columns. */
const partsSchema = z
  .array(z.strictObject({ data: z.string(), cells: z.array(z.tuple([z.number(), z.number()]).nullable()).max(200) }))
  .max(2000)
const namesSchema = z.array(z.strictObject({ letter: z.string(), names: z.array(z.string()) })).max(200)

/** The rows that the grid shows for an address, as a file: for each row its texts and the answers of all columns. */
export async function downloadGrid(query: FilterQuery, kind: string, pairOf: (run: number, pair: number) => PairRows): Promise<Response> {
  const parts = check(partsSchema, jsonOf(query.parts), 'the columns of the grid').map(({ data, cells }): PartRows => {
    const pairs = cells.map((cell) => (cell ? pairOf(...cell) : undefined))
    return {
      data,
      cells: pairs,
      matched: pairs.map((pair, column) => (column > 0 && pairs[0] && pair ? matchedRows(pairs[0], pair) : undefined)),
    }
  })
  const columns = check(namesSchema, jsonOf(query.names), 'the columns of the grid')
  const { grid, rows } = await rowsOfLine(parts, columns, lineOfQuery(query), orderOfQuery(query, columns.length).order)
  const titles = columns.map(({ letter, names }) => `${letter} ${names[0] ?? ''}`.trim())
  const lines = rows.map((row): Cells => {
    const { part, index } = locateRow(grid, row)!
    const number = grid.parts.indexOf(part)
    const records = part.cells.map((cell, column) => {
      const place = cell?.places[index] ?? -1
      return place < 0
        ? undefined
        : { record: parts[number]!.cells[column]!.run.recordsAt(cell!.pair, [place])[0]?.record, verdict: cell!.table.verdicts[place]! }
    })
    const gold = records.find((one) => one?.record)?.record?.gold
    return {
      dataset: part.data,
      row: part.ids[index]!,
      expected: gold === undefined ? '' : shortText(gold),
      excluded: part.excluded.get(index) ?? '',
      answers: records.map((one) => {
        const reading = one?.record && readingOf(one.record)
        return one?.record
          ? {
              verdict: one.verdict,
              score: one.record.score,
              extracted: reading === undefined ? '' : shortText(reading),
              answer: one.record.error ?? shortAnswer(one.record),
            }
          : undefined
      }),
    }
  })
  const writers: Record<string, () => [text: string, type: string]> = {
    csv: () => [csvOf(titles, lines), 'text/csv'],
    jsonl: () => [
      lines
        .map(
          (line) =>
            `${JSON.stringify({ ...line, answers: Object.fromEntries(titles.map((title, at) => [title, line.answers[at] ?? null])) })}\n`,
        )
        .join(''),
      'application/x-ndjson',
    ],
    html: () => [htmlOf(titles, lines), 'text/html'],
  }
  const [text, type] = writers[kind]!()
  return new Response(text, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'content-disposition': `attachment; filename="grid.${kind}"` },
  })
}

type Cells = {
  dataset: string
  row: number
  expected: string
  excluded: string
  answers: readonly ({ verdict: string; score: number | undefined; extracted: string; answer: string } | undefined)[]
}

function jsonOf(text = '[]'): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The common rows of pairs of two runs. */
function matchedRows(first: PairRows, other: PairRows): PartRows['matched'][number] {
  const side = ({ run, pair }: PairRows) => ({ ...run.side(), pairs: run.side().pairs.filter(({ number }) => number === pair) })
  const [one, another] = [side(first), side(other)]
  const name = one.pairs[0]!
  // Sides with one model each are compared even if the models or datasets have other names.
  const [pair] = compareSides(one, { ...another, pairs: another.pairs.map((own) => ({ ...own, dataset: name.dataset })) }).pairs
  return pair && { places: pair.rows.places, changes: pair.rows.changes }
}

function csvOf(titles: readonly string[], lines: readonly Cells[]): string {
  const heads = [
    'dataset',
    'row',
    'expected',
    'excluded',
    ...titles.flatMap((title) => ['verdict', 'extracted', 'answer'].map((name) => `${title}: ${name}`)),
  ]
  const rows = lines.map(({ dataset, row, expected, excluded, answers }) => [
    dataset,
    row,
    expected,
    excluded,
    ...answers.flatMap((one) => (one ? [one.verdict, one.extracted, one.answer] : ['', '', ''])),
  ])
  return [heads, ...rows].map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\n`).join('')
}

function htmlOf(titles: readonly string[], lines: readonly Cells[]): string {
  const cell = (text: string | number, name = 'td') => `<${name}>${escaped(String(text))}</${name}>`
  const heads = ['dataset', 'row', 'expected', ...titles].map((title) => cell(title, 'th')).join('')
  const rows = lines.map(
    ({ dataset, row, expected, excluded, answers }) =>
      `<tr${excluded === '' ? '' : ` class="excluded" title="${escaped(excluded)}"`}>${cell(dataset)}${cell(row)}${cell(expected)}${answers
        .map(
          (one) =>
            `<td class="${one?.verdict ?? ''}"><b>${escaped(one?.verdict ?? '–')}</b> ${escaped(one?.extracted || one?.answer || '')}</td>`,
        )
        .join('')}</tr>`,
  )
  const style =
    'body{font:13px system-ui,sans-serif}td,th{text-align:left;vertical-align:top;padding:4px 8px;border-bottom:1px solid #ddd}.right b{color:#156b2f}.wrong b,.failed b{color:#b3261e}.excluded{text-decoration:line-through}'
  return `<!doctype html><meta charset="utf-8"><title>rolecall: ${lines.length} rows</title><style>${style}</style><table><tr>${heads}</tr>\n${rows.join('\n')}\n</table>\n`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
