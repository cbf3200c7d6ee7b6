import type { $ZodType } from 'zod/v4/core'
import type { PyValue } from '../../../base/python/index.ts'
import type { SplitWords } from '../../../base/python/word-split/word-tokenize.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { entriesIn } from '../register-by-name.ts'
import type { NotFound } from './not-found.ts'

/** An answer and what becomes of it; `options` where it needs some. */
export type PostprocessorExample = { options?: Readonly<Record<string, unknown>>; answer: string; becomes: PyValue }

/** Something done to an answer before it is compared. */
export type Postprocessor<Options = unknown> = {
  /** The names it is known by: OpenCompass's registered name first, then its function's. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** A worked example for the docs, which a test runs. */
  example: PostprocessorExample
  /** What a config may give beside `type`. */
  options: $ZodType<Options>
  /** It looks for an answer, and says so where it finds none (`notFound`). */
  finds?: true
  /** It splits Chinese into words, which `process` is given a function for. */
  needsWords?: true
  /** Gives what is compared, or says that there is no answer. `row` is the one that was asked, where there is one. */
  process(text: string, options: Options, words: SplitWords, row?: Row): PyValue | NotFound
}

/** Checks that options and function fit each other. */
export function definePostprocessor<Options>(postprocessor: Postprocessor<Options>): Postprocessor<Options> {
  return postprocessor
}

/** The postprocessors among the exports of modules, which also export functions that other modules use. */
export function postprocessorsIn(...modules: readonly object[]): Postprocessor[] {
  return entriesIn('process', modules)
}

/** What a config says: a name, a name with options, or (in TypeScript) a function, which gives undefined where it finds no answer. */
export type PostprocessorConfig = string | ({ type: string } & Record<string, unknown>) | ((text: string) => unknown)

/** One postprocessor, or several that are applied one after the other. */
export type PostprocessorsConfig = PostprocessorConfig | readonly PostprocessorConfig[]
