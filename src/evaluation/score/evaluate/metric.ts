/**
 * What the scores of rows are: `verdict` is 1 for right and 0 for wrong; `graded` lies between them, as F1 or a mark does;
 * `quantity` is measured, as perplexity is, and neither right nor wrong.
 */
export type ScoreKind = 'verdict' | 'graded' | 'quantity'

/** What a figure means. Nothing is taken for right, or for better, that does not say so here. */
export type Metric = {
  /** The name of the figure, as OpenCompass has it. */
  metric: string
  kind: ScoreKind
  /** `percent`: a share of the rows, whose scores lie between 0 and 1. Else what is measured, e.g. bits per character. */
  unit: string
  /** Whether higher or lower figures are better; `higher` by default. */
  direction?: Direction
  /** The least and the greatest figure there can be. */
  range?: readonly [least: number, greatest: number]
}

export type Direction = 'higher' | 'lower'

/** How much better one score is than another: below 0 where it is worse. */
export function gain(from: number, to: number, direction: Direction = 'higher'): number {
  return direction === 'lower' ? from - to : to - from
}

/** The best of some figures. */
export function bestOf(values: readonly number[], direction: Direction = 'higher'): number {
  return direction === 'lower' ? Math.min(...values) : Math.max(...values)
}

/** Whether a score says that the answer is right; undefined where scores of this kind say nothing of that sort. */
export function isRight(score: number, kind: ScoreKind): boolean | undefined {
  return kind === 'verdict' ? score === 1 : undefined
}
