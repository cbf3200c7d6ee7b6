import type { Mutant } from './make-mutants.ts'

/** A mutant with its file, as a path in the tree. */
export type Site = { id: number; file: string; mutant: Mutant }

/** The start-up data of a worker. */
export type WorkerData = {
  root: string
  testFiles: readonly string[]
  /** The transpiled modules of the tree, so that threads do not repeat the work. */
  transpiled: ReadonlyMap<string, string>
  /** The number of the running test, so that the main thread detects a hang. */
  progress: SharedArrayBuffer
}

/** A test without a mutant: its duration, whether it is a property test, and which mutants' places it reached. */
export type MeasuredTest = {
  file: string
  name: string
  position: number
  milliseconds: number
  hasProperty: boolean
  reached: readonly number[]
}

/** The initial number of runs of a property: many tests look for a mutant. */
export const fewRuns = 20

export type Request =
  /** Loads everything once, so that the first mutant does not wait for it. */
  | { kind: 'warm-up' }
  | { kind: 'measure'; sites: readonly Site[]; files: readonly string[] }
  /** Tests to run in this order, by file and by index in the file, and the maximum number of runs of properties. */
  | { kind: 'mutant'; site: Site; tests: readonly { file: string; position: number }[]; runs: number }

export type Reply =
  | { kind: 'ready' }
  | {
      kind: 'measured'
      tests: readonly MeasuredTest[]
      reachedWhenLoaded: readonly number[]
      leftOut: readonly { file: string; why: string }[]
    }
  | { kind: 'killed'; by: string }
  | { kind: 'survived' }
