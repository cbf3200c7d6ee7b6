import type { PythonKind } from '../../python/host/python-host.ts'

/** How the worker process is started. */
export type PythonStart = {
  executable: string
  /** The worker's file. */
  script: string
  /** Folders to import from; the first one is the working folder if there is no checkout. */
  paths: readonly string[]
  /** A checkout of OpenCompass, or ''. */
  checkout: string
  folder: string
  environment: Readonly<Record<string, string>>
}

/** A request to the thread: what the worker is sent, as JSON, and how long it may take. */
export type PythonRequest = { line: string; id: number; seconds: number }

/** A part of a result: rows come in chunks, each after the name of its split if there are several. */
export type ResultPart = { tag: 'value' | 'split' | 'rows'; text: string }

/** What became of a request. */
export type PythonReply =
  | { kind: 'done'; parts: ResultPart[]; versions: string }
  /** The code failed; JSON. */
  | { kind: 'failed'; text: string }
  /** The process ended, or was ended. */
  | { kind: 'stopped'; problem: string }
  /** It did not start. */
  | { kind: 'not-started'; problem: string }

/** A failure as the worker describes it. */
export type ReportedFailure = {
  reason: 'missing' | 'raised' | 'stopped'
  exception: string
  message: string
  file?: string
  line?: number
  column?: number
  trace: string
}

/** How long a call of each kind may take, in seconds, unless the user says otherwise: texts are short, datasets and code to run are not. */
export const callSeconds: Readonly<Record<PythonKind, number>> = {
  postprocessor: 60,
  dict_postprocessor: 600,
  function: 60,
  dataset: 1800,
  evaluator: 3600,
}
