import type { MainMetric } from '../../../src/evaluation/run/record/main-metric.ts'
import { showDecimal } from '../words/numbers.ts'
import { unitName } from '../words/units.ts'

/** What the score of a row means; without it, it is a number and no more. */
export type ScoredBy = Pick<MainMetric, 'kind' | 'unit' | 'direction' | 'isMeanOfRows'> | undefined

/** The score of a row as its figure counts: in per cent where the figure is the mean of such rows. */
export function scoreText(score: number, figure: ScoredBy): string {
  if (figure?.kind === 'quantity') return `${showDecimal(score, 4)} ${unitName(figure.unit)}`
  return figure?.unit === 'percent' && figure.isMeanOfRows !== false ? `${showDecimal(100 * score, 1)} %` : showDecimal(score, 2)
}
