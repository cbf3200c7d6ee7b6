import { isSignificant } from '../../../../src/evaluation/run/record/compare-models.ts'
import type { ModelComparison } from '../../../../src/evaluation/run/record/run-record.ts'
import { gain } from '../../../../src/evaluation/score/evaluate/metric.ts'
import { IntervalPlot } from '../../plots/interval-plot.tsx'
import { compareWords } from '../../words/compare.ts'
import { showDecimal } from '../../words/numbers.ts'
import { differenceText } from '../figure-text.ts'

/** Two cells: by how much the second differs, and its interval as a plot and in words. */
export function Difference({ comparison }: { comparison: ModelComparison }) {
  const told = compareWords()
  const { difference, interval, mcnemar, unit, direction } = comparison
  const isSure = isSignificant(comparison)
  const sign = (value: number) => differenceText(value, unit)
  const ends = `[${sign(interval.low)}, ${sign(interval.high)}]`
  if (difference === 0 && interval.low === 0 && interval.high === 0)
    return (
      <>
        <td class="number">{sign(0)}</td>
        <td class="plot-cell quiet">{told.noDifference}</td>
      </>
    )
  return (
    <>
      <td class="number">
        <b class={isSure ? (gain(0, difference, direction) > 0 ? 'good' : 'bad') : ''}>{sign(difference)}</b>
      </td>
      <td class="plot-cell">
        <IntervalPlot
          label={told.plot(`${sign(difference)} ${ends}`)}
          value={difference}
          interval={interval}
          range={symmetric(interval, difference)}
          zero={0}
        />
        <small>
          {ends} · {isSure ? told.sure : told.chance}
          {mcnemar && ` (McNemar p ${mcnemar.p < 0.001 ? '< 0.001' : showDecimal(mcnemar.p, 3)})`}
        </small>
      </td>
    </>
  )
}

/** As far to the left of no difference as to the right. */
function symmetric({ low, high }: { low: number; high: number }, value: number): [number, number] {
  const most = Math.max(Math.abs(low), Math.abs(high), Math.abs(value), 1e-9)
  return [-most, most]
}
