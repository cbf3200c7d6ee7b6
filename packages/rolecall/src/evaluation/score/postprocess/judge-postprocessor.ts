import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, isDict, type PyValue } from '@rolecall/core/internal/python'
import type { Checker } from '@rolecall/core/internal/schema'
import { entriesIn, noOptions } from '../register-by-name.ts'

/** A judge's reply about the answer to a row, with the gold answer it was shown. */
export type Judged = {
  said: string
  gold: PyValue | undefined
  row: Row
  /** The index of the row, from 0. */
  index: number
  /** The judge's prompt, if known. */
  prompt?: PyValue
}

/** Replies of judges, and the resulting metrics. */
export type JudgeExample = {
  options?: Readonly<Record<string, unknown>>
  judged: readonly { said: string; gold?: PyValue; row?: Row }[]
  figures: Readonly<Record<string, number>>
}

/**
 * Metrics over all replies of a judge: OpenCompass's `dict_postprocessor`. Each row is read separately, and little of
 * it is kept.
 */
export type JudgePostprocessor<Options = unknown, Kept = unknown> = {
  /** Its names: OpenCompass's function first. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** A worked example for the docs, which a test runs. */
  example: JudgeExample
  /** The options in a config, in addition to `type`. */
  options: Checker<Options>
  /** The main metric, from the options if they name it. */
  metric: string | ((options: Options) => string)
  /** The unit of the main metric; `percent` for a percentage. */
  unit: string
  /** Whether rows are right or wrong, or graded. */
  kind: 'verdict' | 'graded'
  /** The judge compares the answers of two models, which the gold answer names. */
  compares?: true
  /** Parses a judge's reply; undefined if it contains nothing that counts. */
  read(judged: Judged, options: Options): Kept | undefined
  /** The score of the answer, from 0 to 1. */
  score(kept: Kept, options: Options): number
  /** The metrics of all parsed rows: at least one. */
  figures(kept: readonly Kept[], options: Options): Record<string, number>
  /** The reference's metrics where nothing could be parsed, which `compat` gives; absent if it has none either. */
  ofNothing?: Readonly<Record<string, number>>
  /** The recorded details of a row. */
  detail?(judged: Judged, kept: Kept | undefined): Record<string, PyValue>
}

/** Type-checks that options, parsing and metrics match; without `options`, it has none. */
export function defineJudgePostprocessor<Options, Kept>(postprocessor: JudgePostprocessor<Options, Kept>): JudgePostprocessor<Options, Kept>
export function defineJudgePostprocessor<Kept>(
  postprocessor: Omit<JudgePostprocessor<unknown, Kept>, 'options'>,
): JudgePostprocessor<unknown, Kept>
export function defineJudgePostprocessor(postprocessor: Omit<JudgePostprocessor, 'options'>): JudgePostprocessor {
  return { options: noOptions, ...postprocessor }
}

/** The judge postprocessors among the exports of modules. */
export function judgePostprocessorsIn(...modules: readonly object[]): JudgePostprocessor[] {
  return entriesIn('read', modules)
}

/** The metrics of the parsed replies; none if nothing was parsed, except under `compat`. */
export function figuresOfJudged<Options, Kept>(
  postprocessor: JudgePostprocessor<Options, Kept>,
  kept: readonly (Kept | undefined)[],
  options: Options,
  compat?: 'opencompass' | undefined,
): Record<string, number> {
  const read = kept.filter((one): one is Kept & {} => one !== undefined)
  if (read.length > 0) return postprocessor.figures(read, options)
  if (compat && postprocessor.ofNothing) return { ...postprocessor.ofNothing }
  throw new PromptError('not-decided', {
    where: 'the judge',
    problem: `nothing that ${postprocessor.names[0]} could read was said about any of the answers`,
    fix: 'look at what the judge says, and ask it for a verdict as this postprocessor reads it (docs/scoring.md)',
  })
}

/** A field of a column or gold answer, as text. */
export function fieldOf(dict: PyValue | undefined, name: string): PyValue | undefined {
  return isDict(dict) ? dictGet(dict, name) : undefined
}
