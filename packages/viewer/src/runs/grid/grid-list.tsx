import { useEffect, useMemo } from 'preact/hooks'
import { againstFirst, columnScores } from 'rolecall/internal/server/viewer/grid/grid-scores'
import type { GridCell, GridPart, RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import { locateRow } from 'rolecall/internal/server/viewer/grid/grid-table'
import type { GridOrder } from 'rolecall/internal/server/viewer/grid/sort-rows'
import type { RecordLine } from 'rolecall/internal/server/viewer/viewer-data'
import { type TableColumn, VirtualTable } from '../../parts/virtual-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { gridTexts } from '../../texts/grid.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { ReviewMark } from '../review/review-mark.tsx'
import { timeText } from '../time-text.ts'
import { VerdictMark } from '../verdict-mark.tsx'
import { ColumnHead } from './column-head.tsx'
import type { GridColumn } from './grid-columns.ts'
import { useCellLines } from './use-cell-lines.ts'

export const densities = { tight: 28, normal: 34, roomy: 46 } as const
export type Density = keyof typeof densities

type GridListProps = {
  grid: RowGrid | undefined
  columns: readonly GridColumn[]
  rows: readonly number[]
  stamps: string
  density: Density
  order: GridOrder
  onSort: (order: GridOrder) => void
  selected: number | undefined
  onSelect: (index: number) => void
  onEnter: () => void
  /** The first rows are there. */
  onDrawn: () => void
}

/** The rows of the grid, a cell for each column: verdict, extracted answer, tokens. */
export function GridList({ grid, columns, rows, stamps, density, order, onSort, selected, onSelect, onEnter, onDrawn }: GridListProps) {
  const ui = gridTexts()
  const words = rowsTexts()
  const { line, want, error } = useCellLines(grid, stamps)
  const firstLine = ({ cells }: GridPart, index: number): RecordLine | undefined => {
    for (const cell of cells) {
      const found = cell && line(cell, cell.places[index]!)
      if (found) return found
    }
    return undefined
  }
  const isShown = (row: number) => {
    const at = locateRow(grid!, row)
    return at !== undefined && firstLine(at.part, at.index) !== undefined
  }
  const hasSeveral = columns.length > 1
  const isDrawn = grid !== undefined && (rows.length === 0 || isShown(rows[0]!) || error !== undefined)
  useEffect(() => {
    if (isDrawn) onDrawn()
  }, [isDrawn])
  const scores = useMemo(() => (grid ? columnScores(grid, columns.length, rows) : []), [grid, columns, rows])
  const against = useMemo(
    () => (grid && hasSeveral ? columns.map((_, column) => (column === 0 ? undefined : againstFirst(grid, column, rows))) : []),
    [grid, columns, rows],
  )
  const sortBy = (by: GridOrder['by'], isFirstDescending = false): TableColumn['sort'] => ({
    is: order.by !== by ? 'none' : order.isDescending ? 'descending' : 'ascending',
    toggle: () => onSort({ by, isDescending: order.by === by ? !order.isDescending : isFirstDescending }),
  })
  const heads: TableColumn[] = [
    { key: 'number', name: words.row, sort: sortBy('number') },
    {
      key: 'asked',
      name: (
        <>
          {ui.question} <small class="quiet">{scores[0] && ui.scored(scores[0].rows)}</small>
        </>
      ),
    },
    { key: 'expected', name: ui.gold },
    ...(hasSeveral ? [] : [{ key: 'answered', name: ui.answered }]),
    ...columns.map((column, index) => ({
      key: `cell-${index}`,
      class: `c-cell${hasSeveral ? '' : ' is-only'}`,
      name: scores[index] ? <ColumnHead column={column} score={scores[index]} all={scores} against={against[index]} /> : column.title,
      sort: sortBy(`${index}:${isVerdict(grid, index) ? 'verdict' : 'score'}`),
    })),
    ...(hasSeveral
      ? [{ key: 'agreement', name: ui.disagreement, title: ui.disagreementTitle, sort: sortBy('disagreement', true) }]
      : [
          { key: 'tokens', name: words.tokens, title: words.tokensTitle, sort: sortBy('0:tokens') },
          { key: 'time', name: words.time, sort: sortBy('0:time') },
        ]),
  ]
  const cellsOf = (position: number) => {
    const { part, index } = locateRow(grid!, rows[position]!)!
    const first = firstLine(part, index)
    return [
      part.ids[index]!,
      <>
        {grid!.parts.length > 1 && <span class="data-chip">{visibleText(part.data, false)}</span>}
        {visibleText(first?.asked ?? (first ? '' : '…'), false)}
      </>,
      visibleText(first?.gold ?? '', false),
      ...(hasSeveral ? [] : [visibleText(first?.error ?? first?.prediction ?? '', false)]),
      ...columns.map((_, column) => {
        const cell = part.cells[column]
        return cell ? (
          <Cell key={column} cell={cell} place={cell.places[index]!} line={line(cell, cell.places[index]!)} isOnly={!hasSeveral} />
        ) : null
      }),
      ...(hasSeveral
        ? [<Agreement key="agreement" part={part} index={index} />]
        : [first ? showNumber(first.tokens) : '', first ? <Time key="time" line={first} /> : '']),
    ]
  }
  return (
    <VirtualTable
      id="record"
      label={ui.label}
      columns={heads}
      of={rows}
      count={rows.length}
      height={densities[density]}
      head={52}
      selected={selected}
      onSelect={onSelect}
      onEnter={onEnter}
      onSeen={(first, last) => want(rows.slice(first, last + 1))}
      lineClass={(position) => {
        const at = grid && locateRow(grid, rows[position]!)
        return at?.part.excluded.has(at.index) ? 'is-excluded' : ''
      }}
      cells={cellsOf}
    />
  )
}

function isVerdict(grid: RowGrid | undefined, column: number): boolean {
  return grid?.parts.every(({ cells }) => cells[column] === undefined || cells[column].metric?.kind === 'verdict') ?? true
}

/** Verdict, extracted answer and reply tokens of one column. */
function Cell({ cell, place, line, isOnly }: { cell: GridCell; place: number; line: RecordLine | undefined; isOnly: boolean }) {
  if (place < 0) return <span class="quiet">–</span>
  const verdict = cell.table.verdicts[place]!
  const mark = (
    <>
      <VerdictMark
        score={cell.table.scores[place] ?? undefined}
        outcome={line?.outcome}
        failed={verdict === 'failed'}
        figure={cell.metric}
      />
      <ReviewMark annotation={cell.table.annotations.get(place)} />
    </>
  )
  if (isOnly)
    return (
      <span class={`grid-cell is-${verdict}`}>
        {mark} {line?.reading !== undefined && <span class="reading">{visibleText(line.reading, false)}</span>}
      </span>
    )
  return (
    <span class={`grid-cell is-${verdict}`}>
      {mark} <span class="reading">{visibleText(line?.error ?? (line?.reading || line?.prediction) ?? '…', false)}</span>
      <small class="quiet">{line ? showNumber(line.tokens) : ''}</small>
    </span>
  )
}

/** How many columns are right, of those with a verdict. */
function Agreement({ part: { cells }, index }: { part: GridPart; index: number }) {
  let [right, all] = [0, 0]
  for (const cell of cells) {
    const place = cell === undefined ? -1 : cell.places[index]!
    const verdict = place < 0 ? undefined : cell!.table.verdicts[place]
    if (verdict === 'right') right++
    if (verdict === 'right' || verdict === 'wrong' || verdict === 'unread') all++
  }
  if (all === 0) return <span class="quiet">–</span>
  return (
    <span class="agreement">
      {right}/{all}
      <i aria-hidden="true" style={{ width: `${(28 * right) / all}px` }} />
    </span>
  )
}

function Time({ line: { milliseconds } }: { line: RecordLine }) {
  const words = rowsTexts()
  return milliseconds === undefined ? <span title={words.knownTitle}>{words.known}</span> : timeText(milliseconds)
}
