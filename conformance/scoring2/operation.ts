import type { ScoringRuleName } from '../../src/base/fidelity/scoring-fidelity.ts'
import type { Outcome } from '../outcome.ts'
import type { ScoringVector } from '../scoring/vector.ts'

/** Computes what the reference computes; at once, or later where programs are run. */
export type Operation = {
  run(args: ScoringVector['args']): unknown
  /** What is compared, of ours and of the reference's result alike: the texts of Python's own errors are left out, for one. */
  compared?(value: unknown): unknown
  /** The details of rows may say more than those of the reference. */
  detailsMayHaveMore?: true
  /** How far numbers may lie apart. */
  tolerance?: number
}

/** Whether a rule explains that ours is not the reference's result; by the input, and by what the reference would do with it. */
export type Explains = (vector: ScoringVector, ours: Outcome) => boolean
export type Rules = Partial<Record<ScoringRuleName, Explains>>
