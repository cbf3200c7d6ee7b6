import type { Row } from '@rolecall/core/internal/conversation'
import type { PyValue } from '@rolecall/core/internal/python'
import type { Checker } from '@rolecall/core/internal/schema'
import type { SplitWords } from '../../../python/word-split/word-tokenize.ts'
import { entriesIn, noOptions } from '../register-by-name.ts'
import type { NotFound } from './not-found.ts'

/** An answer and its postprocessed value; `options` if it needs any. */
export type PostprocessorExample = { options?: Readonly<Record<string, unknown>>; answer: string; becomes: PyValue }

/** What a postprocessor may use besides the text. */
export type AnswerContext = {
  /** Segments Chinese, for postprocessors that need it. */
  words: SplitWords
  /** The test row, if there is one. */
  row?: Row | undefined
  /** The reply ended at its length limit. */
  isCut?: boolean | undefined
}

/** Transforms an answer before it is compared. */
export type Postprocessor<Options = unknown> = {
  /** Its names: OpenCompass's registered name first, then its function's. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** A worked example for the docs, which a test runs. */
  example: PostprocessorExample
  /** The options in a config, in addition to `type`. */
  options: Checker<Options>
  /** It looks for an answer, and reports if it finds none (`notFound`). */
  finds?: true
  /** It segments Chinese, with `context.words`. */
  needsWords?: true
  /** Returns the value to compare, or reports that there is no answer. */
  process(text: string, options: Options, context: AnswerContext): PyValue | NotFound
}

/** Type-checks that options and function match; without `options`, it has none. */
export function definePostprocessor<Options>(postprocessor: Postprocessor<Options>): Postprocessor<Options>
export function definePostprocessor(postprocessor: Omit<Postprocessor<unknown>, 'options'>): Postprocessor<unknown>
export function definePostprocessor(postprocessor: Omit<Postprocessor, 'options'>): Postprocessor {
  return { options: noOptions, ...postprocessor }
}

/** The postprocessors among the exports of modules, which also export functions for other modules. */
export function postprocessorsIn(...modules: readonly object[]): Postprocessor[] {
  return entriesIn('process', modules)
}

/** The postprocessor in a config: a name, a name with options, or (in TypeScript) a function, which returns undefined if it finds no answer. */
export type PostprocessorConfig = string | ({ type: string } & Record<string, unknown>) | ((text: string) => unknown)

/** One postprocessor, or several that are applied in order. */
export type PostprocessorsConfig = PostprocessorConfig | readonly PostprocessorConfig[]
