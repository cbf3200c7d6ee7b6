import type { MainMetric } from 'rolecall/internal/evaluation/run/record/main-metric'
import { showDecimal } from '../texts/numbers.ts'
import { unitName } from '../texts/units.ts'

/** The meaning of a row's score; without it, just a number. */
export type ScoredBy = Pick<MainMetric, 'kind' | 'unit' | 'direction' | 'isMeanOfRows'> | undefined

/** The score of a row in the metric's unit: percent if the metric is the mean of such rows. */
export function scoreText(score: number, figure: ScoredBy): string {
  if (figure?.kind === 'quantity') return `${showDecimal(score, 4)} ${unitName(figure.unit)}`
  return figure?.unit === 'percent' && figure.isMeanOfRows !== false ? `${showDecimal(100 * score, 1)} %` : showDecimal(score, 2)
}
