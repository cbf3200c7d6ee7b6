import type { MainMetric } from '../../../evaluation/run/record/main-metric.ts'
import type { Outcome } from '../../../evaluation/run/record/outcome.ts'
import { isRight } from '../../../evaluation/score/evaluate/metric.ts'

/**
 * The verdict of a row: right, wrong, no answer could be read in any reply, not decided by the judge, failed; `scored` for scores that are neither right
 * nor wrong; `none` without a score.
 */
export const verdicts = ['right', 'wrong', 'unread', 'not-decided', 'failed', 'scored', 'none'] as const
export type RowVerdict = (typeof verdicts)[number]

/** The meaning of a pair's scores; undefined if unknown: then nothing is right, wrong, better or worse. */
export type Scored = Pick<MainMetric, 'kind' | 'direction'> | undefined

const notRead: ReadonlySet<Outcome> = new Set(['not-found', 'cut', 'refused', 'empty', 'tool-call'])

type Judged = { score: number | undefined; outcomes: readonly Outcome[]; failed: boolean }

export function verdictOf({ score, outcomes, failed }: Judged, scored: Scored): RowVerdict {
  if (failed) return 'failed'
  const isUnread = outcomes.length > 0 && outcomes.every((one) => notRead.has(one))
  if (outcomes.includes('not-decided') && score === undefined) return 'not-decided'
  if (score !== undefined && !Number.isNaN(score)) {
    // Several answers of a row may be partly right.
    const right = scored && (score === 0 || score === 1) ? isRight(score, scored.kind) : undefined
    if (right === true) return 'right'
    if (right === undefined && !(score === 0 && isUnread)) return 'scored'
  }
  if (isUnread) return 'unread'
  return score === undefined || Number.isNaN(score) ? 'none' : 'wrong'
}
