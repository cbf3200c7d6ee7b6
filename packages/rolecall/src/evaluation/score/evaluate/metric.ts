/**
 * The kind of row scores: `verdict` is 1 for right and 0 for wrong; `graded` is between them, e.g. F1 or a grade;
 * `quantity` is measured, e.g. perplexity, and neither right nor wrong.
 */
export type ScoreKind = 'verdict' | 'graded' | 'quantity'

/** The meaning of a metric. Nothing counts as right or better unless it is declared here. */
export type Metric = {
  /** The name of the metric in OpenCompass. */
  metric: string
  kind: ScoreKind
  /** `percent`: a fraction of the rows, whose scores are between 0 and 1. Otherwise the unit, e.g. bits per character. */
  unit: string
  /** Whether higher or lower values are better; `higher` by default. */
  direction?: Direction
  /** The lowest and highest possible value. */
  range?: readonly [least: number, greatest: number]
}

export type Direction = 'higher' | 'lower'

/** How much better one score is than another; negative if it is worse. */
export function gain(from: number, to: number, direction: Direction = 'higher'): number {
  return direction === 'lower' ? from - to : to - from
}

/** The best of some values. */
export function bestOf(values: readonly number[], direction: Direction = 'higher'): number {
  return direction === 'lower' ? Math.min(...values) : Math.max(...values)
}

/** Whether a score means that the answer is right; undefined for kinds that are neither right nor wrong. */
export function isRight(score: number, kind: ScoreKind): boolean | undefined {
  return kind === 'verdict' ? score === 1 : undefined
}
