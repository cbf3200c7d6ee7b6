import type { AxisName } from '../../evaluation/config/axes.ts'
import { isSignificant } from '../../evaluation/run/record/compare-models.ts'
import { bar } from '../../evaluation/run/record/results-table.ts'
import { fixed } from '../../evaluation/run/record/round.ts'
import type { ModelComparison } from '../../evaluation/run/record/run-record.ts'
import { placeName, type RunTable, type TableCell, type TablePlace, varyingAxes } from '../../evaluation/run/record/run-table.ts'
import { digitsOf, metricLabel } from '../../evaluation/run/record/show-metric.ts'
import { countText, moneyTexts } from './amounts.ts'
import type { Cell, Grid, ScreenBlock, ScreenColumn, ScreenRow } from './blocks.ts'
import { verdictOf } from './verdict.ts'

/** A mark behind a figure, explained below the table. */
export type Marks = {
  /** The mark of a cell, if it has one. */
  of(cell: TableCell): string | undefined
  /** The difference of a cell from the reference, where the table is a matrix. */
  differenceOf(cell: TableCell): ModelComparison | undefined
}

/** More lines than this are only in the summary. */
const mostLines = 30

export const intervalsNote = '[95 % interval]'

/**
 * The figures of a run: a line for each place if only one axis varies, else a matrix, with intervals where there is room for all, or a line for
 * each cell where there is room for nothing else.
 */
export function resultsBlock(table: RunTable, marks: Marks): ScreenBlock {
  const varying = varyingAxes(table)
  return varying.length < 2 ? listBlock(table, varying, marks) : matrixBlock(table, varying, marks)
}

/** `qa · 300 rows · exact match % [95 % interval]`, and a line for each place. */
function listBlock(table: RunTable, varying: readonly AxisName[], marks: Marks): ScreenBlock {
  const axis = varying[0] ?? 'model'
  const { cells } = table
  const label = commonLabel(cells)
  const rows = commonRows(cells)
  const hasIntervals = cells.some(({ figure }) => figure.interval)
  const [first] = cells
  const subject = axis === 'data' && first ? placeName(first.at, ['model', 'format']) : first ? subjectOf(first.at, axis) : ''
  const title = [
    subject,
    ...(axis === 'data' ? [countText(cells.filter(({ result }) => result !== undefined).length, 'dataset')] : []),
    ...(rows === undefined ? [] : [countText(rows, 'row')]),
    ...(label === undefined ? [] : [`${label}${hasIntervals ? ` ${intervalsNote}` : ''}`]),
  ]
  const columns = cellColumns(cells, { rows, label })
  const shown = cells.slice(0, mostLines)
  return {
    kind: 'group',
    blocks: [
      { kind: 'parts', parts: title },
      { kind: 'prose', text: '' },
      {
        kind: 'grid',
        columns: [{ mayShorten: true }, ...columns.map(({ column }) => column)],
        rows: shown.map(
          (cell, index): ScreenRow => ({
            cells: [{ text: placeName(cell.at, [axis]) }, ...columns.map(({ of }) => of(cell, index, marks))],
          }),
        ),
      },
      ...moreLines(cells.length - shown.length, 'dataset'),
    ],
  }
}

/** The data; where prompts are compared, also the model that they are compared for. */
function subjectOf(at: TablePlace, axis: AxisName): string {
  return axis === 'model' || axis === 'format' ? at.data : `${at.data} · ${placeName(at, ['model', 'format'])}`
}

type CellColumn = { column: ScreenColumn; of(cell: TableCell, index: number, marks: Marks): Cell }

/** The columns of a list: bar, figure, interval, what differs between the lines, and the cost. */
function cellColumns(cells: readonly TableCell[], common: { rows: number | undefined; label: string | undefined }): CellColumn[] {
  const costs = cells.map(({ result }) => result?.costs ?? [])
  const money = moneyTexts(costs.flat())
  const areShares = cells.every(({ figure }) => figure.unit === 'percent')
  const startOfCosts = (index: number) => costs.slice(0, index).reduce((sum, some) => sum + some.length, 0)
  const named: (CellColumn | false)[] = [
    areShares && {
      column: { mayDrop: true },
      of: ({ figure }) => ({ text: figure.value === undefined ? '' : bar(figure.value / 100) }),
    },
    { column: { isNumber: true }, of: (cell, _, marks) => figureCell(cell, digitsOf(cell.figure.unit), markOf(cell, marks)) },
    cells.some(({ figure }) => figure.interval) && {
      column: {},
      of: ({ figure }) => ({ text: intervalText(figure, digitsOf(figure.unit)) }),
    },
    (common.label === undefined || cells.some(({ about }) => about !== undefined)) && {
      column: {},
      of: (cell) => ({ text: cell.about ?? (common.label === undefined ? (labelOf(cell) ?? '') : ''), tone: 'quiet' }),
    },
    common.rows === undefined && {
      column: { isNumber: true },
      of: ({ rows }) => ({ text: rows === undefined ? '' : countText(rows, 'row'), tone: 'quiet' }),
    },
    money.length > 0 && {
      column: { isNumber: true },
      of: (_, index) => ({ text: money.slice(startOfCosts(index), startOfCosts(index + 1)).join(' + '), tone: 'quiet' }),
    },
  ]
  return named.filter((column) => column !== false)
}

/** Which axis has the columns of a matrix. */
const acrossFirst: readonly AxisName[] = ['data', 'prompt', 'format', 'shots', 'temperature']

function matrixBlock(table: RunTable, varying: readonly AxisName[], marks: Marks): ScreenBlock {
  const across = acrossFirst.find((axis) => varying.includes(axis)) ?? 'format'
  const down = varying.filter((axis) => axis !== across)
  const matrix = (rows: readonly AxisName[], columns: readonly AxisName[], hasIntervals: boolean) =>
    matrixGrid(table, rows, columns, hasIntervals, marks)
  const forms = [
    matrix(down, [across], true),
    matrix(down, [across], false),
    matrix([across], down, true),
    matrix([across], down, false),
    longGrid(table, across, down, marks),
  ]
  return { kind: 'forms', forms }
}

/** Places of some axes, in the order of the run. */
function placesOn(cells: readonly TableCell[], axes: readonly AxisName[]): TablePlace[] {
  const places = new Map<string, TablePlace>()
  for (const { at } of cells) {
    const key = placeName(at, axes)
    if (!places.has(key)) places.set(key, at)
  }
  return [...places.values()]
}

/** A line for each place of some axes, a column for each of the others. */
function matrixGrid(
  { cells }: RunTable,
  down: readonly AxisName[],
  across: readonly AxisName[],
  hasIntervals: boolean,
  marks: Marks,
): Grid | { kind: 'group'; blocks: ScreenBlock[] } {
  const places = [placesOn(cells, down), placesOn(cells, across)] as const
  const find = (line: TablePlace, column: TablePlace) =>
    cells.find(({ at }) => placeName(at, down) === placeName(line, down) && placeName(at, across) === placeName(column, across))
  const label = commonLabel(cells)
  // A row more or less moves a percentage of few rows by a point or more.
  const isCoarse = cells.every(({ rows = Number.POSITIVE_INFINITY, figure }) => figure.unit === 'percent' && rows <= 100)
  const digits = ({ figure }: TableCell) => (isCoarse ? 0 : digitsOf(figure.unit))
  const isDataAcross = across.includes('data')
  const cellsOf = (cell: TableCell | undefined): Cell[] => {
    if (!cell) return [{ text: '–' }, ...(hasIntervals ? [{ text: '' }] : [])]
    const shown = figureCell(cell, digits(cell), markOf(cell, marks))
    return [shown, ...(hasIntervals ? [{ text: intervalText(cell.figure, digits(cell)), tone: 'quiet' as const }] : [])]
  }
  const lines = places[0].slice(0, mostLines)
  const labelAt = (place: TablePlace) =>
    label === undefined && isDataAcross ? (labelOf(cells.find(({ at }) => at.data === place.data)) ?? '') : ''
  const rowLabel = (place: TablePlace) =>
    label === undefined && !isDataAcross ? labelOf(cells.find(({ at }) => at.data === place.data)) : undefined
  const hasRowLabels = lines.some((place) => rowLabel(place) !== undefined)
  const rowsAt = (place: TablePlace) => cells.find(({ at, rows }) => at.data === place.data && rows !== undefined)?.rows
  const countCells = (place: TablePlace): Cell[] => [
    { text: rowsAt(place)?.toLocaleString('en') ?? '', tone: 'quiet' },
    ...(hasIntervals ? [{ text: '' }] : []),
  ]
  const grid: Grid = {
    kind: 'grid',
    columns: [
      { title: label ?? '', mayShorten: true },
      ...places[1].flatMap((place): ScreenColumn[] => [
        { title: placeName(place, across), subtitle: labelAt(place), isNumber: true },
        ...(hasIntervals ? [{ isNumber: true }] : []),
      ]),
      ...(isDataAcross ? [] : [{ title: 'rows', isNumber: true }]),
      ...(hasRowLabels ? [{}] : []),
    ],
    rows: [
      ...lines.map(
        (line): ScreenRow => ({
          cells: [
            { text: placeName(line, down) },
            ...places[1].flatMap((column) => cellsOf(find(line, column))),
            ...(isDataAcross ? [] : [{ text: rowsAt(line)?.toLocaleString('en') ?? '', tone: 'quiet' as const }]),
            ...(hasRowLabels ? [{ text: rowLabel(line) ?? '', tone: 'quiet' as const }] : []),
          ],
        }),
      ),
      ...(isDataAcross ? [{ cells: [{ text: 'rows', tone: 'quiet' as const }, ...places[1].flatMap(countCells)] }] : []),
    ],
  }
  const notes: ScreenBlock[] = [
    ...moreLines(places[0].length - lines.length, isDataAcross ? 'model' : 'dataset'),
    ...(hasIntervals ? [{ kind: 'prose' as const, text: intervalsNote, tone: 'quiet' as const }] : []),
  ]
  return notes.length === 0 ? grid : { kind: 'group', blocks: [grid, ...notes] }
}

/** A line for each cell, by dataset: what fits where a matrix does not. */
function longGrid(table: RunTable, across: AxisName, down: readonly AxisName[], marks: Marks): ScreenBlock {
  const { cells } = table
  const label = commonLabel(cells)
  const columns = placesOn(cells, [across])
  const lines = columns.flatMap((column) => {
    const own = cells.filter(({ at }) => at[across] === column[across])
    return own.map((cell, index): ScreenRow => {
      const difference = marks.differenceOf(cell)
      const rows = cell.rows === undefined ? '' : countText(cell.rows, 'row')
      return {
        cells: [
          { text: index === 0 ? placeName(column, [across]) : index === 1 ? rows : '', ...(index === 1 ? { tone: 'quiet' as const } : {}) },
          { text: placeName(cell.at, down) },
          figureCell(cell, digitsOf(cell.figure.unit), marks.of(cell)),
          { text: intervalText(cell.figure, digitsOf(cell.figure.unit)) },
          ...(label === undefined ? [{ text: labelOf(cell) ?? '', tone: 'quiet' as const }] : []),
          { text: difference ? verdictOf(difference).word : '' },
        ],
      }
    })
  })
  const shown = lines.slice(0, mostLines)
  return {
    kind: 'group',
    blocks: [
      {
        kind: 'parts',
        parts: [
          ...(across === 'data' ? [`${columns.length} datasets`] : []),
          ...(label === undefined ? [] : [`${label} ${intervalsNote}`]),
        ],
      },
      { kind: 'prose', text: '' },
      {
        kind: 'grid',
        columns: [
          { mayShorten: true },
          { mayShorten: true },
          { isNumber: true },
          {},
          ...(label === undefined ? [{ mayDrop: true }] : []),
          {},
        ],
        rows: shown,
      },
      ...moreLines(lines.length - shown.length, 'line'),
    ],
  }
}

function moreLines(count: number, noun: string): ScreenBlock[] {
  if (count <= 0) return []
  return [{ kind: 'prose', text: `${countText(count, `more ${noun}`)} in summary/summary.md`, tone: 'quiet' }]
}

function markOf(cell: TableCell, marks: Marks): string | undefined {
  const mark = marks.of(cell)
  if (mark !== undefined) return mark
  const difference = marks.differenceOf(cell)
  return difference && difference.difference !== 0 && !isSignificant(difference) ? '≈' : undefined
}

function figureCell({ figure, result }: TableCell, digits: number, mark: string | undefined): Cell {
  const text = figure.value === undefined ? '–' : fixed(figure.value, digits)
  return { text, tone: (result?.failed ?? 0) > 0 ? 'bad' : 'strong', ...(mark === undefined ? {} : { mark }) }
}

function intervalText({ interval }: TableCell['figure'], digits: number): string {
  return interval ? `[${fixed(interval.low, digits)}, ${fixed(interval.high, digits)}]` : ''
}

function labelOf(cell: TableCell | undefined): string | undefined {
  return cell?.metric === undefined ? undefined : metricLabel({ metric: cell.metric.replaceAll('_', ' '), ...metricOf(cell) })
}

function metricOf({ figure: { unit, direction } }: TableCell): Pick<TableCell['figure'], 'unit' | 'direction'> {
  return { unit, direction }
}

/** The metric of all cells, if it is the same; groups have that of their datasets. */
function commonLabel(cells: readonly TableCell[]): string | undefined {
  const labels = new Set(cells.flatMap((cell) => labelOf(cell) ?? []))
  const units = new Set(cells.map(({ figure }) => figure.unit))
  return labels.size === 1 && units.size === 1 ? [...labels][0] : undefined
}

function commonRows(cells: readonly TableCell[]): number | undefined {
  const counts = new Set(cells.map(({ rows }) => rows))
  return counts.size === 1 ? [...counts][0] : undefined
}
