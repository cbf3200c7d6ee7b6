import type { PyDict, PyValue } from '../../packages/core/src/base/python/index.ts'
import type { Outcome } from './outcome.ts'
import type { Verdict } from './verdict.ts'

/** Rolecall's results for a vector, and how to judge them. `--mangle` judges distorted results, so `judge` must look at what it is given. */
export type Trial = { ours: readonly Outcome[]; judge(ours: readonly Outcome[]): Verdict }

/** A kind of golden vectors. */
export type Suite = {
  /** The folder under which its files are reported. */
  name: string
  /** Whether a file with this first vector belongs to the suite; decided by shape, because files may have any name. */
  recognises(vector: PyDict): boolean
  /** Runs a vector; a verdict if there is nothing to compare. `folder` contains the file, for vectors that reference other files. */
  examine(vector: PyValue, folder: string): Trial | Verdict | Promise<Trial | Verdict>
  /** Stops what it started, such as an interpreter, after each file. */
  close?(): Promise<void>
}

/** A trial with a single result. */
export function trial(ours: Outcome, judge: (ours: Outcome) => Verdict): Trial {
  return { ours: [ours], judge: ([result]) => judge(result!) }
}
