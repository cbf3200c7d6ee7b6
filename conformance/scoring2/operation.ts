import type { ScoringRuleName } from '../../src/base/fidelity/scoring-fidelity.ts'
import type { Outcome } from '../outcome.ts'
import type { ScoringVector } from '../scoring/vector.ts'

/** Computes what the reference computes; synchronously, or asynchronously if programs are run. */
export type Operation = {
  run(args: ScoringVector['args']): unknown
  /** The compared part of both results; for example, Python's own error messages are dropped. */
  compared?(value: unknown): unknown
  /** Our row details may contain more than the reference's. */
  detailsMayHaveMore?: true
  /** Numeric tolerance. */
  tolerance?: number
}

/** Whether a rule explains a difference from the reference, judged by the input and by what the reference does with it. */
export type Explains = (vector: ScoringVector, ours: Outcome) => boolean
export type Rules = Partial<Record<ScoringRuleName, Explains>>
