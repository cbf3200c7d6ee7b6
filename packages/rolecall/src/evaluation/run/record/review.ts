import { isRight, type ScoreKind } from '../../score/evaluate/metric.ts'
import { cohenKappa, type RaterCounts } from '../../score/statistics/cohen-kappa.ts'
import { type Interval, wilsonInterval } from '../../score/statistics/interval.ts'
import type { RowAnnotation } from './annotation.ts'
import type { PairResult } from './run-record.ts'

/** An annotated row: its score, and whether its answer is still the one that was reviewed. */
export type AnnotatedRow = RowAnnotation & { score: number | undefined; isOutdated: boolean }

/** The annotations of a model on a dataset, and how far the reviewer agrees with the scores. */
export type Review = {
  /** Rows with a verdict, note, star or tag. */
  annotated: number
  starred: number
  /** Rows with a verdict on their present answer. */
  reviewed: number
  /** Of these, rows that are neither right nor wrong to the reviewer. */
  unclear: number
  /** Of these, rows whose score is neither right nor wrong. */
  unscored: number
  /** Rows with a verdict on an answer that was replaced since; they do not count. */
  outdated: number
  /** The other reviewed rows: right by the score (first) and right to the reviewer (second). */
  counts: RaterCounts
  /** The share of these on which score and reviewer agree, with its 95 % interval, and Cohen's kappa. */
  agreement?: { share: number; interval: Interval; kappa?: number }
  /** The metric with the reviewer's verdicts in place of the scores, if some differ and the metric is the share of right answers. */
  corrected?: number
}

/** The meaning of the scores; the metric's value and its number of rows with a score, if known. */
type Scored = Pick<PairResult, 'kind'> & Partial<Pick<PairResult, 'unit' | 'value' | 'isMeanOfRows'>> & { scored?: number }

/** Whether a score and a reviewer call an answer the same; undefined if one of them calls it neither right nor wrong. */
export function agrees({ score, verdict }: Pick<AnnotatedRow, 'score' | 'verdict'>, kind: ScoreKind): boolean | undefined {
  if (score === undefined || Number.isNaN(score) || verdict === undefined || verdict === 'unclear') return undefined
  const byScore = isRight(score, kind)
  return byScore === undefined ? undefined : byScore === (verdict === 'right')
}

/** Counts the annotations of a pair; without `scored`, nothing is right or wrong by the scores. */
export function reviewOf(rows: Iterable<AnnotatedRow>, scored: Scored | undefined): Review {
  const counts = { bothRight: 0, onlyFirst: 0, onlySecond: 0, bothWrong: 0 }
  const review = { annotated: 0, starred: 0, reviewed: 0, unclear: 0, unscored: 0, outdated: 0, counts }
  for (const row of rows) {
    review.annotated++
    if (row.star) review.starred++
    if (row.verdict === undefined) continue
    if (row.isOutdated) {
      review.outdated++
      continue
    }
    review.reviewed++
    const isSame = scored && agrees(row, scored.kind)
    if (row.verdict === 'unclear') review.unclear++
    else if (isSame === undefined) review.unscored++
    else if (isSame) counts[row.verdict === 'right' ? 'bothRight' : 'bothWrong']++
    else counts[row.verdict === 'right' ? 'onlySecond' : 'onlyFirst']++
  }
  const same = counts.bothRight + counts.bothWrong
  const all = same + counts.onlyFirst + counts.onlySecond
  if (all === 0) return review
  const kappa = cohenKappa(counts)
  const agreement = { share: same / all, interval: wilsonInterval(same, all), ...(kappa === undefined ? {} : { kappa }) }
  const corrected = correctedValue(counts, scored!)
  return { ...review, agreement, ...(corrected === undefined ? {} : { corrected }) }
}

function correctedValue({ onlyFirst, onlySecond }: RaterCounts, { value, scored = 0, unit, isMeanOfRows }: Scored): number | undefined {
  const isShare = value !== undefined && scored > 0 && unit === 'percent' && isMeanOfRows !== false
  return isShare && onlyFirst + onlySecond > 0 ? value + (100 * (onlySecond - onlyFirst)) / scored : undefined
}
