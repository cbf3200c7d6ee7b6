import type { ScoringConfig } from '../../score/checks/scoring-of-checks.ts'
import type { Interval } from '../../score/statistics/interval.ts'

/** What may be wrong with a score. */
export type ScoreFindingCode =
  | 'extraction'
  | 'code-fence'
  | 'in-reasoning'
  | 'never-stops'
  | 'cut'
  | 'empty'
  | 'refused'
  | 'other-language'
  | 'markers'
  | 'bad-gold'
  | 'duplicates'
  | 'leaked-examples'
  | 'one-letter'

/** How a score would change: measured on rows other than those the change was chosen on. */
export type MeasuredGain = {
  /** Points of the metric, without what the change would accept by chance. */
  points: number
  interval: Interval
  /** Adjusted for the number of changes tried. */
  p: number
  tried: number
  chosenOn: number
  measuredOn: number
  /** The share of replies that it accepts with the gold answer of another row. */
  byChance: number
}

export type ScoreFinding = {
  code: ScoreFindingCode
  text: string
  /** The rows it is about, by their numbers. */
  rows: readonly number[]
  gain?: MeasuredGain
  /** The change of the config, in words. */
  fix: string
  /** The same as an `eval_cfg`, where scoring changes. */
  scoring?: ScoringConfig
}
