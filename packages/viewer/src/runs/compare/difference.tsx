import { isSignificant, isTooFew } from 'rolecall/internal/evaluation/run/record/compare-models'
import type { ModelComparison } from 'rolecall/internal/evaluation/run/record/run-record'
import { gain } from 'rolecall/internal/evaluation/score/evaluate/metric'
import { IntervalPlot } from '../../plots/interval-plot.tsx'
import { useLinked } from '../../route.ts'
import { compareTexts } from '../../texts/compare.ts'
import { showDecimal } from '../../texts/numbers.ts'
import { differenceText } from '../figure-text.ts'

/** Two cells: the difference, and its interval as plot and text. */
export function Difference({ comparison }: { comparison: ModelComparison }) {
  const ui = compareTexts()
  const { difference, interval, mcnemar, unit, direction, adjusted } = comparison
  // Runs of earlier versions only have McNemar's test.
  const { p = mcnemar?.p, test = 'mcnemar' } = comparison
  const [shows] = useLinked('p')
  const isAdjusted = adjusted !== undefined && adjusted.tests > 1
  const raw = p === undefined ? undefined : `${test === 'mcnemar' ? 'McNemar ' : ''}p ${shownP(p)}`
  const tested = [
    ...(isAdjusted ? [ui.adjusted(shownP(adjusted.p), adjusted.tests)] : []),
    ...(raw !== undefined && (!isAdjusted || shows === 'raw') ? [isAdjusted ? ui.raw(raw) : raw] : []),
  ]
  const verdict = isTooFew(comparison) ? ui.tooFew : isSignificant(comparison) ? ui.sure : ui.chance
  const isSure = isSignificant(comparison)
  const sign = (value: number) => differenceText(value, unit)
  const ends = `[${sign(interval.low)}, ${sign(interval.high)}]`
  if (difference === 0 && interval.low === 0 && interval.high === 0)
    return (
      <>
        <td class="number">{sign(0)}</td>
        <td class="plot-cell quiet">{ui.noDifference}</td>
      </>
    )
  return (
    <>
      <td class="number">
        <b class={isSure ? (gain(0, difference, direction) > 0 ? 'good' : 'bad') : ''}>{sign(difference)}</b>
      </td>
      <td class="plot-cell">
        <IntervalPlot
          label={ui.plot(`${sign(difference)} ${ends}`)}
          value={difference}
          interval={interval}
          range={symmetric(interval, difference)}
          zero={0}
        />
        <small>
          {ends} · {verdict} · {ui.sharedRows(comparison.rows)}
          {tested.length > 0 && !isTooFew(comparison) && ` · ${tested.join(' · ')}`}
        </small>
      </td>
    </>
  )
}

function shownP(p: number): string {
  return p < 0.001 ? '< 0.001' : showDecimal(p, 3)
}

/** A symmetric axis around zero. */
function symmetric({ low, high }: { low: number; high: number }, value: number): [number, number] {
  const most = Math.max(Math.abs(low), Math.abs(high), Math.abs(value), 1e-9)
  return [-most, most]
}
