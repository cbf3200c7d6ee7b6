import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { Builtin } from '../../../python/interpreter/values.ts'

/** Rows that a function loads: those of a split, or of files of a dataset. */
export type RowsRequest = { path: string; name?: string; split: string; files?: readonly string[] }

/** A tokenizer as functions call it: with the tokens that it adds at the beginning and end, or without them. */
export type TaskTokenizer = {
  encode(text: string, options: { special: boolean }): readonly number[]
  decode(ids: readonly number[]): string
}

/** What functions load, as far as it has been read already; undefined if it has not. */
export type Provided = {
  rows(request: RowsRequest): readonly Row[] | undefined
  tokenizer(name: string): TaskTokenizer | undefined
  /** The text behind a URL. */
  page(url: string): string | undefined
  /** A file of a Python package, `wonderwords/assets/nounlist.txt`; undefined if the package is not here. Absent once the rows have been made. */
  packageFile?(path: string): string | undefined
}

/** Ends a function that needs something: the caller reads it and calls the function again. */
export class Needed extends Error {
  constructor(readonly need: { rows: RowsRequest } | { tokenizer: string } | { page: string }) {
    super(`${JSON.stringify(need)} is needed`)
  }
}

/** Ends a function that needs the data of a Python package that is not here. */
export class PackageNeeded extends Error {
  constructor(readonly module: string) {
    super(`the package ${module} is needed`)
  }
}

/** For functions that run when all rows have been made. */
export const nothingProvided: Provided = {
  rows: ({ path }) => tooLate(path, 'a dataset'),
  tokenizer: (name) => tooLate(name, 'a tokenizer'),
  page: (url) => tooLate(url, 'a file'),
}

function tooLate(where: string, what: string): never {
  throw new PromptError('no-data', {
    where,
    problem: `a function that scores replies loads ${what}`,
    fix: 'load it in process_docs or custom_dataset',
  })
}

/** A function that loads data, which is not available while replies are scored. */
export class LoadingFunction extends Builtin {
  constructor(
    { name, call }: Builtin,
    readonly loads: 'rows' | 'tokenizer' | 'page',
  ) {
    super(name, call)
  }
}
