import type { RecordLine, RecordList, ScoreColumn } from '../../../../src/app/server/viewer/viewer-data.ts'
import type { MainMetric } from '../../../../src/evaluation/run/record/main-metric.ts'
import { type TableColumn, VirtualTable } from '../../parts/virtual-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { figureName } from '../../texts/units.ts'
import { verdictTexts } from '../../texts/verdicts.ts'
import { timeText } from '../time-text.ts'
import { useLines } from '../use-run.ts'
import { VerdictMark } from '../verdict-mark.tsx'
import type { Order, Sort } from './choose-rows.ts'

type RowsTableProps = {
  run: number
  pair: number
  column: ScoreColumn | undefined
  /** The first lines, if already loaded. */
  first: RecordList | undefined
  places: readonly number[]
  figure: MainMetric | undefined
  order: Order
  onSort: (order: Order) => void
  selected: number | undefined
  onSelect: (index: number) => void
  onEnter: () => void
}

/** The table of rows: a heading sorts by its column, a second click reverses. */
export function RowsTable({ run, pair, column, first, places, figure, order, onSort, selected, onSelect, onEnter }: RowsTableProps) {
  const { line, want } = useLines(run, pair, column, first)
  const sortBy = (by: Sort): TableColumn['sort'] => ({
    is: order.by !== by ? 'none' : order.isDescending ? 'descending' : 'ascending',
    toggle: () => onSort({ by, isDescending: order.by === by && !order.isDescending }),
  })
  const ui = rowsTexts()
  const isVerdict = figure?.kind === 'verdict'
  const lower = figure?.direction === 'lower' ? ` (${verdictTexts().lowerIsBetter})` : ''
  const columns: readonly TableColumn[] = [
    { key: 'number', name: ui.row, sort: sortBy('number') },
    { key: 'asked', name: ui.asked },
    { key: 'expected', name: ui.expected },
    { key: 'answered', name: ui.answered },
    {
      key: 'verdict',
      name: isVerdict || !figure ? ui.verdict : `${figure.metric}${lower}`,
      title: figure ? figureName(figure) : undefined,
      sort: sortBy(isVerdict ? 'verdict' : 'score'),
    },
    { key: 'tokens', name: ui.tokens, title: ui.tokensTitle, sort: sortBy('tokens') },
    { key: 'time', name: ui.time, sort: sortBy('time') },
  ] as TableColumn[]
  return (
    <VirtualTable
      id="record"
      label={ui.table}
      columns={columns}
      of={places}
      count={places.length}
      height={34}
      selected={selected}
      onSelect={onSelect}
      onEnter={onEnter}
      onSeen={(first, last) => want(places.slice(first, last + 1))}
      cells={(index) => cellsOf(line(places[index]!), column!.ids[places[index]!]!, figure)}
    />
  )
}

function cellsOf(line: RecordLine | undefined, id: number, figure: MainMetric | undefined) {
  if (!line) return [id, '…', '', '', '', '', '']
  return [
    id,
    visibleText(line.asked ?? '', false),
    visibleText(line.gold ?? '', false),
    visibleText(line.error ?? line.prediction, false),
    <VerdictMark key="verdict" score={line.score} outcome={line.outcome} failed={line.error !== undefined} figure={figure} />,
    showNumber(line.tokens),
    line.milliseconds === undefined ? <span title={rowsTexts().knownTitle}>{rowsTexts().known}</span> : timeText(line.milliseconds),
  ]
}
