import type { MainMetric } from 'rolecall/internal/evaluation/run/record/main-metric'
import type { Order, Sort } from 'rolecall/internal/server/viewer/rows/row-filter'
import type { RecordLine, RecordList, RowColumns, ScoreColumn } from 'rolecall/internal/server/viewer/viewer-data'
import { type TableColumn, VirtualTable } from '../../parts/virtual-table.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { metricName } from '../../texts/metric-names.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { figureName } from '../../texts/units.ts'
import { verdictTexts } from '../../texts/verdicts.ts'
import { ReviewMark } from '../review/review-mark.tsx'
import type { Annotations } from '../review/use-annotations.ts'
import { timeText } from '../time-text.ts'
import { useLines } from '../use-run.ts'
import { VerdictMark } from '../verdict-mark.tsx'
import { columnName, shownColumns, valuePrefix } from './table-columns.tsx'

type RowsTableProps = {
  run: number
  pair: number
  column: ScoreColumn | undefined
  /** Values of columns with few of them. */
  columns: RowColumns | undefined
  /** The columns in the address. */
  chosen: string | undefined
  /** The first lines, if already loaded. */
  first: RecordList | undefined
  places: readonly number[]
  figure: MainMetric | undefined
  annotations: Annotations
  order: Order
  onSort: (order: Order) => void
  selected: number | undefined
  onSelect: (index: number) => void
  onEnter: () => void
}

/** The table of rows: a heading sorts by its column, a second click reverses. */
export function RowsTable(props: RowsTableProps) {
  const { run, pair, column, columns, chosen, first, places, figure, annotations, order, onSort, selected, onSelect, onEnter } = props
  const { line, want } = useLines(run, pair, column, first)
  const sortBy = (by: Sort): TableColumn['sort'] => ({
    is: order.by !== by ? 'none' : order.isDescending ? 'descending' : 'ascending',
    toggle: () => onSort({ by, isDescending: order.by === by && !order.isDescending }),
  })
  const ui = rowsTexts()
  const isVerdict = figure?.kind === 'verdict'
  const lower = figure?.direction === 'lower' ? ` (${verdictTexts().lowerIsBetter})` : ''
  const heads: Record<string, TableColumn> = {
    verdict: {
      key: 'verdict',
      name: isVerdict || !figure ? ui.verdict : `${metricName(figure.metric)}${lower}`,
      ...(figure ? { title: figureName(figure) } : {}),
      sort: sortBy(isVerdict ? 'verdict' : 'score'),
    },
    tokens: { key: 'tokens', name: ui.tokens, title: ui.tokensTitle, sort: sortBy('tokens') },
    time: { key: 'time', name: ui.time, sort: sortBy('time') },
  }
  const shown = shownColumns(chosen, columns)
  const cellOf = (name: string, place: number) => {
    const one = line(place)
    const values = columns?.columns.find((known) => `${valuePrefix}${known.name}` === name)
    if (values) return visibleText(values.values[values.of[place]!] ?? '', false)
    return one ? cellsOf(one, figure, annotations)[name as keyof ReturnType<typeof cellsOf>] : name === 'asked' ? '…' : ''
  }
  return (
    <VirtualTable
      id="record"
      label={ui.table}
      columns={[
        { key: 'number', name: ui.row, sort: sortBy('number') },
        ...shown.map((name, index) => heads[name] ?? { key: columnKey(name, index), name: columnName(name) }),
      ]}
      of={places}
      count={places.length}
      height={34}
      selected={selected}
      onSelect={onSelect}
      onEnter={onEnter}
      onSeen={(first, last) => want(places.slice(first, last + 1))}
      cells={(index) => [column!.ids[places[index]!]!, ...shown.map((name) => cellOf(name, places[index]!))]}
    />
  )
}

/** The class of a column's cells; columns of the dataset share one layout. */
function columnKey(name: string, index: number): string {
  return name.startsWith(valuePrefix) ? `value-${index}` : name
}

function cellsOf(line: RecordLine, figure: MainMetric | undefined, annotations: Annotations) {
  return {
    asked: visibleText(line.asked ?? '', false),
    expected: visibleText(line.gold ?? '', false),
    extracted: visibleText(line.reading ?? '', false),
    answered: visibleText(line.error ?? line.prediction, false),
    verdict: (
      <>
        <VerdictMark score={line.score} outcome={line.outcome} failed={line.error !== undefined} figure={figure} />
        <ReviewMark annotation={annotations.of(line.id)} />
      </>
    ),
    tokens: showNumber(line.tokens),
    time: line.milliseconds === undefined ? <span title={rowsTexts().knownTitle}>{rowsTexts().known}</span> : timeText(line.milliseconds),
  }
}
