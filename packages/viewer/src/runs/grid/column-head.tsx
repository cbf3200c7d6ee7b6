import type { PairedComparison } from 'rolecall/internal/evaluation/score/statistics/paired'
import type { ColumnScore } from 'rolecall/internal/server/viewer/grid/grid-scores'
import { visibleText } from '../../prompt/visible-text.tsx'
import { gridTexts } from '../../texts/grid.ts'
import { showDecimal } from '../../texts/numbers.ts'
import { axisOf, differenceText, figureText } from '../figure-text.ts'
import { ColumnBadge } from './column-badge.tsx'
import type { GridColumn } from './grid-columns.ts'

type ColumnHeadProps = { column: GridColumn; score: ColumnScore; all: readonly ColumnScore[]; against: PairedComparison | undefined }

/** The head of a column: its model, format and prompt, and its score over the rows shown with the interval, on an axis that all share. */
export function ColumnHead({ column, score, all, against }: ColumnHeadProps) {
  return (
    <span class="column-head" title={titleOf(column, score, against)}>
      <span class="column-title">
        <ColumnBadge letter={column.letter} /> <span>{visibleText(column.title, false)}</span>
      </span>
      <span class="column-about">{visibleText(column.about, false)}</span>
      <Score score={score} all={all} />
    </span>
  )
}

function Score({ score: { value, interval, metric, why }, all }: { score: ColumnScore; all: readonly ColumnScore[] }) {
  if (value === undefined || !metric) return <span class="column-score quiet">{why === 'none' ? '–' : '≠'}</span>
  const ends = all.flatMap((one) => [one.value ?? [], one.interval ? [one.interval.low, one.interval.high] : []].flat())
  const [from, to] = zoomed(axisOf(metric, ends), ends)
  const at = (number: number) => `${(100 * (Math.max(from, Math.min(to, number)) - from)) / (to - from || 1)}%`
  return (
    <span class="column-score">
      <b>{figureText(value, metric.unit)}</b>{' '}
      {interval && (
        <small>
          {figureText(interval.low, metric.unit)}–{figureText(interval.high, metric.unit)}
        </small>
      )}
      <span class="column-axis" aria-hidden="true">
        {interval && <i style={{ left: at(interval.low), right: `calc(100% - ${at(interval.high)})` }} />}
        <b style={{ left: at(value) }} />
      </span>
    </span>
  )
}

/** The part of the axis that the scores are in: intervals are narrow on the whole one. */
function zoomed([least, most]: readonly [number, number], values: readonly number[]): [number, number] {
  if (values.length === 0) return [least, most]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = 0.1 * (high - low) || 1
  return [Math.max(least, low - room), Math.min(most, high + room)]
}

function titleOf(
  { title, about }: GridColumn,
  { rows, why, excluded, metric }: ColumnScore,
  against: PairedComparison | undefined,
): string {
  const ui = gridTexts()
  const p = against?.p === undefined ? '' : ui.pOf(against.p < 0.001 ? '< 0.001' : showDecimal(against.p, 3))
  return [
    [title, about].filter((part) => part !== '').join(' · '),
    why === undefined ? ui.scored(rows) : ui.why[why],
    ...(excluded > 0 ? [ui.excludedRows(excluded)] : []),
    ...(against
      ? [ui.against('A', differenceText((metric?.unit === 'percent' ? 100 : 1) * against.difference, metric?.unit ?? 'percent'), p)]
      : []),
  ].join('\n')
}
