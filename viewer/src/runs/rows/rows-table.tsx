import type { RecordLine, RecordList, ScoreColumn } from '../../../../src/app/server/viewer/viewer-data.ts'
import type { MainMetric } from '../../../../src/evaluation/run/record/main-metric.ts'
import { type TableColumn, VirtualTable } from '../../parts/virtual-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { showNumber } from '../../words/numbers.ts'
import { rowsWords } from '../../words/rows.ts'
import { figureName } from '../../words/units.ts'
import { verdictWords } from '../../words/verdicts.ts'
import { timeText } from '../time-text.ts'
import { useLines } from '../use-run.ts'
import { VerdictMark } from '../verdict-mark.tsx'
import type { Order, Sort } from './choose-rows.ts'

type RowsTableProps = {
  run: number
  pair: number
  column: ScoreColumn | undefined
  /** The first lines, where they are there already. */
  first: RecordList | undefined
  places: readonly number[]
  figure: MainMetric | undefined
  order: Order
  onSort: (order: Order) => void
  selected: number | undefined
  onSelect: (index: number) => void
  onEnter: () => void
}

/** The rows as a table: a heading sorts by its column, and once more the other way round. */
export function RowsTable({ run, pair, column, first, places, figure, order, onSort, selected, onSelect, onEnter }: RowsTableProps) {
  const { line, want } = useLines(run, pair, column, first)
  const sortBy = (by: Sort): TableColumn['sort'] => ({
    is: order.by !== by ? 'none' : order.isDescending ? 'descending' : 'ascending',
    toggle: () => onSort({ by, isDescending: order.by === by && !order.isDescending }),
  })
  const told = rowsWords()
  const isVerdict = figure?.kind === 'verdict'
  const lower = figure?.direction === 'lower' ? ` (${verdictWords().lowerIsBetter})` : ''
  const columns: readonly TableColumn[] = [
    { key: 'number', name: told.row, sort: sortBy('number') },
    { key: 'asked', name: told.asked },
    { key: 'expected', name: told.expected },
    { key: 'answered', name: told.answered },
    {
      key: 'verdict',
      name: isVerdict || !figure ? told.verdict : `${figure.metric}${lower}`,
      title: figure ? figureName(figure) : undefined,
      sort: sortBy(isVerdict ? 'verdict' : 'score'),
    },
    { key: 'tokens', name: told.tokens, title: told.tokensTitle, sort: sortBy('tokens') },
    { key: 'time', name: told.time, sort: sortBy('time') },
  ] as TableColumn[]
  return (
    <VirtualTable
      id="record"
      label={told.table}
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
    line.milliseconds === undefined ? <span title={rowsWords().knownTitle}>{rowsWords().known}</span> : timeText(line.milliseconds),
  ]
}
