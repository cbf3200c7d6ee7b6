import type { $ZodType } from 'zod/v4/core'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet, isDict, type PyValue } from '../../../base/python/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import { entriesIn } from '../register-by-name.ts'

/** What a judge said about the answer to a row, with the gold answer that it was shown. */
export type Judged = {
  said: string
  gold: PyValue | undefined
  row: Row
  /** The number of the row, from 0. */
  index: number
  /** What the judge was asked, where that is known. */
  prompt?: PyValue
}

/** What judges said, and the figures it comes to. */
export type JudgeExample = {
  options?: Readonly<Record<string, unknown>>
  judged: readonly { said: string; gold?: PyValue; row?: Row }[]
  figures: Readonly<Record<string, number>>
}

/**
 * What the words of a judge come to over all rows: OpenCompass's `dict_postprocessor`. Each row is read on its own, and little of
 * it is kept.
 */
export type JudgePostprocessor<Options = unknown, Kept = unknown> = {
  /** The names it is known by: OpenCompass's function first. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** A worked example for the docs, which a test runs. */
  example: JudgeExample
  /** What a config may give beside `type`. */
  options: $ZodType<Options>
  /** The figure that stands for it, by its options where they name it. */
  metric: string | ((options: Options) => string)
  /** What the main figure is measured in; `percent` where it is a share of 100. */
  unit: string
  /** Whether a row is right or wrong, or has a mark. */
  kind: 'verdict' | 'graded'
  /** The judge compares the answers of two models, which the gold answer names. */
  compares?: true
  /** What is read in a judge's words; undefined where they say nothing that counts. */
  read(judged: Judged, options: Options): Kept | undefined
  /** How good the answer is by that: from 0 to 1. */
  score(kept: Kept, options: Options): number
  /** The figures of all rows that were read: at least one. */
  figures(kept: readonly Kept[], options: Options): Record<string, number>
  /** What is written beside a row. */
  detail?(judged: Judged, kept: Kept | undefined): Record<string, PyValue>
}

/** Checks that options, reading and figures fit each other. */
export function defineJudgePostprocessor<Options, Kept>(
  postprocessor: JudgePostprocessor<Options, Kept>,
): JudgePostprocessor<Options, Kept> {
  return postprocessor
}

/** The judge postprocessors among the exports of modules. */
export function judgePostprocessorsIn(...modules: readonly object[]): JudgePostprocessor[] {
  return entriesIn('read', modules)
}

/** The figures of what was read; where that is nothing, there are none. */
export function figuresOfJudged<Options, Kept>(
  postprocessor: JudgePostprocessor<Options, Kept>,
  kept: readonly (Kept | undefined)[],
  options: Options,
): Record<string, number> {
  const read = kept.filter((one): one is Kept & {} => one !== undefined)
  if (read.length > 0) return postprocessor.figures(read, options)
  throw new PromptError('not-decided', {
    where: 'the judge',
    problem: `nothing that ${postprocessor.names[0]} could read was said about any of the answers`,
    fix: 'look at what the judge says, and ask it for a verdict as this postprocessor reads it (docs/scoring.md)',
  })
}

/** What a column or the gold answer of a benchmark has under a name, as a text. */
export function fieldOf(dict: PyValue | undefined, name: string): PyValue | undefined {
  return isDict(dict) ? dictGet(dict, name) : undefined
}
