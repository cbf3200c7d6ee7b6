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
