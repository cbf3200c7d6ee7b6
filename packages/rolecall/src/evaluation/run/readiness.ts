import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Examined } from './examine/examine-pair.ts'

/** `ready`: prepared with its data; `not checked`: everything but the data; `cannot run`: refused before the first request. */
export type ReadyWord = 'ready' | 'not checked' | 'cannot run'

/** Whether a model can run on a dataset; the cause unless it is ready. */
export type Readiness = {
  word: ReadyWord
  cause?: PromptError
  notes: readonly Note[]
  columns?: ReadonlySet<string>
  /** What its rows show, if they were read. */
  examined?: Examined
}

/** The codes of errors that vanish once the data is in its place. */
const missingData = new Set(['no-file', 'no-data', 'missing-data'])

/** Whether an error only says that the data is not there. */
export function isDataMissing({ code }: PromptError): boolean {
  return missingData.has(code)
}

/** The word for several entries: that of the worst. */
export function worstOf(all: readonly Readiness[]): Readiness {
  const [found = { word: 'ready' as const, notes: [] }] = ['cannot run', 'not checked', 'ready'].flatMap((word) =>
    all.filter((one) => one.word === word),
  )
  return found
}

/** The cause as one line; undefined if it is ready. */
export function causeText({ cause }: Pick<Readiness, 'cause'>): string | undefined {
  return cause instanceof PromptError ? `${cause.where}: ${cause.problem}` : undefined
}
