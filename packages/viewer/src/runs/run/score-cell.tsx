import { IntervalPlot } from '../../plots/interval-plot.tsx'
import { axisOf, figureText, intervalText } from '../figure-text.ts'

type Score = { value?: number | undefined; interval?: { low: number; high: number } | undefined }

type ScoreCellProps = Score & {
  unit: string
  range?: readonly [number | null, number | null] | undefined
  /** The scores of its line, which share an axis. */
  all: readonly Score[]
}

/** A score as a number with its interval, and as a dot on the axis of its line. */
export function ScoreCell({ value, interval, unit, range, all }: ScoreCellProps) {
  const ends = all.flatMap((one) => [one.value ?? [], one.interval ? [one.interval.low, one.interval.high] : []].flat())
  return (
    <>
      <b>{figureText(value, unit)}</b> <small>{intervalText(interval, unit)}</small>
      {value !== undefined && (
        <IntervalPlot
          label={`${figureText(value, unit)} ${intervalText(interval, unit)}`.trim()}
          value={value}
          interval={interval}
          range={axisOf({ unit, range }, ends)}
        />
      )}
    </>
  )
}
