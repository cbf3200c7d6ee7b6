import type { $ZodType } from 'zod/v4/core'
import type { PyDict, PyValue } from '../../../base/python/index.ts'
import type { SplitWords } from '../../../base/python/word-split/word-tokenize.ts'
import type { Row } from '../../../prompt/conversation/row.ts'
import type { PostprocessorConfig } from '../postprocess/postprocessor.ts'
import { entriesIn } from '../register-by-name.ts'
import type { Vote } from './majority.ts'
import type { Metric } from './metric.ts'

/**
 * An answer, the right one, and the row that was asked; `tokens` are those of its prompts, where they were counted, and
 * `choices` what the model chose from, each with its log-likelihood, where that was asked for. `votes` are what each of several
 * answers was read as. Of tool calls, `said` is what was said beside them, and `tools` what the model was told of.
 */
export type Answer = {
  prediction: PyValue
  reference: PyValue
  row: Row
  tokens?: number
  choices?: readonly LikelyChoice[]
  votes?: readonly Vote[]
  said?: string
  /** The same of each of several answers. */
  texts?: readonly string[]
  tools?: readonly PyDict[]
  /** What the model answered, where `prediction` is what a judge or a program said of it. */
  answered?: PyValue
}

/** `isGreedy`: each of its tokens was the likeliest one; undefined where nobody asked or knows. */
export type LikelyChoice = { label: string; logLikelihood: number; isGreedy?: boolean | undefined }

/** What is said about one answer. */
export type Judgement<Kept = unknown> = {
  /** 1 for right, 0 for wrong, or a value to be averaged. */
  score: number
  /** Nobody could tell whether the answer is right: the row is counted, and has no score. */
  undecided?: true
  /** The answer is not scored, as others are compared with it. */
  unscored?: true
  /** What was compared and how it came out, in the words of the reference's details. */
  detail: Record<string, PyValue>
  /** What the figures over all rows need to know about this one: little, so that memory stays small. */
  keep?: Kept
}

/** A program that passes when it runs to its end, or one that leaves what became of its tests, a text, in a variable. */
export type Program = string | { code: string; leaves: string }

/** The prediction of a program that ran to its end. */
export const passed = 'passed'

/** Precedes what a program leaves, so that no answer can claim to have passed. */
export const leaving = 'left: '

/** The prediction of a judge that was not asked, because `unless` settled the answer. */
export const notAsked = ''

/** Figures by name. */
export type Figures = Record<string, number>

/** A figure that is shown beside the main one. */
export type FigureBeside = Pick<Metric, 'metric' | 'unit' | 'direction'>

/** A model as a config writes it, which `evaluation/config` checks like any other. */
export type JudgeModel = { type?: string | undefined } & Record<string, unknown>

/** What a model that judges is asked. `against`: whose answer it compares with; then it is asked twice, in both orders. */
export type Asks = {
  model: JudgeModel
  prompt_template: unknown
  pred_postprocessor?: PostprocessorConfig
  against?: Opponent
  /** Answers about which it need not be asked. */
  unless?: (answer: Pick<Answer, 'prediction' | 'reference' | 'row'>) => boolean
}

/** Whose answers others are compared with: a model's of the same run, or those in a column. */
export type Opponent = { model: string } | { column: string }

/** Judges answers one by one. */
export type Evaluator<Kept = never> = Metric & {
  /** Whether a gold answer is needed. */
  needsReference: boolean
  /** It judges tool calls: the prediction is the list of calls that were read from the answer, or a list of these for the turns of a chat. */
  readsCalls?: true
  /** Where a model judges: who it is, what it is asked, and what is done to an answer before. `judge` then gets the judge's words as the prediction. */
  asks?: Asks
  /** Where code tests the answer: the program for a row, its answer and its gold answer. `judge` then gets what became of it as the prediction. */
  runs?: (row: Row, answer: string, reference: PyValue) => Program
  judge(answer: Answer): Judgement<Kept>
  /** As `judge`, where a function of the user's own judges: it may take its time, and is only waited for if it does. */
  judgeLater?(answer: Answer): Judgement<Kept> | Promise<Judgement<Kept>>
  /** Figures that are no mean of the rows' scores (BLEU, a correlation), from what was kept; one is the main figure. */
  summarise?(kept: readonly Kept[]): Figures
  /** Which figures of the summary are shown beside the main one, and what they mean; the others are in the results' JSON. */
  beside?: readonly FigureBeside[]
  /** What is resampled for its interval: what was kept (the default where there is a summary), the rows' scores, or nothing. */
  interval?: 'kept' | 'scores' | 'none'
}

/** What an evaluator makes of some answers: its main figure, to two digits; `options` where it needs some. */
export type EvaluatorExample = { options?: Readonly<Record<string, unknown>> } & (
  | { answers: readonly PyValue[]; gold?: readonly PyValue[]; rows?: readonly Row[]; tokens?: readonly number[]; figures: Figures }
  /** Where a model judges: what it says. */
  | { verdicts: readonly (string | readonly string[])[]; answered?: readonly PyValue[]; gold?: readonly PyValue[]; figures: Figures }
  /** Where code tests the answer: the program that is run, or its end behind an ellipsis. */
  | { row: Row; answer: string; gold?: PyValue; program: string }
)

/** An evaluator as it is registered: with its names and options. */
export type EvaluatorDefinition<Options = unknown, Kept = unknown> = {
  /** The names it is known by: OpenCompass's class first. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** A worked example for the docs, which a test runs. */
  example: EvaluatorExample
  /** What a config may give beside `type`. */
  options: $ZodType<Options>
  /** It splits Chinese into words, always or with some options; `with` is then given a function for that. */
  needsWords?: true | ((options: Options) => boolean)
  /** `compat`: figures as the reference has them. `nested`: the evaluator that a config in the options names. */
  with(options: Options, words: SplitWords, compat: 'opencompass' | undefined, nested: NestedEvaluator): Evaluator<Kept>
}

export type NestedEvaluator = (config: { type?: string | undefined } & Record<string, unknown>, place: string) => Evaluator<unknown>

/** Checks that options, judgement and summary fit each other. */
export function defineEvaluator<Options, Kept = never>(definition: EvaluatorDefinition<Options, Kept>): EvaluatorDefinition<Options, Kept> {
  return definition
}

/** The evaluators among the exports of modules, which also export functions that other modules use. */
export function evaluatorsIn(...modules: readonly object[]): EvaluatorDefinition[] {
  return entriesIn('with', modules)
}

/** For evaluators that know right and wrong only. */
export function verdict(correct: boolean, detail: Record<string, PyValue>): Judgement<never> {
  // The caller made it for this: a copy would take longer than most comparisons.
  detail.correct = correct
  return { score: Number(correct), detail }
}
