import type { Mutant } from './make-mutants.ts'

/** A mutant with the file that it is in, as a path in the tree. */
export type Site = { id: number; file: string; mutant: Mutant }

/** What every worker is started with. */
export type WorkerData = {
  root: string
  testFiles: readonly string[]
  /** The modules of the tree as JavaScript, so that not every thread translates them. */
  transpiled: ReadonlyMap<string, string>
  /** The number of the test that runs now, so that the main thread sees one that does not end. */
  progress: SharedArrayBuffer
}

/** A test as it ran without a mutant: how long, whether it tries a property many times, and which mutants' places it reached. */
export type MeasuredTest = {
  file: string
  name: string
  position: number
  milliseconds: number
  hasProperty: boolean
  reached: readonly number[]
}

/** How often a property is tried at first: a mutant is looked for by many tests. */
export const fewRuns = 20

export type Request =
  /** Loads everything once, so that the first mutant does not wait for it. */
  | { kind: 'warm-up' }
  | { kind: 'measure'; sites: readonly Site[]; files: readonly string[] }
  /** Tests in the order in which they are to run, by file and by position in the file, and how often properties are tried at most. */
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
