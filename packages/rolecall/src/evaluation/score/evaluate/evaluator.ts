import type { Row } from '@rolecall/core/internal/conversation'
import type { PromptError } from '@rolecall/core/internal/errors'
import type { PyDict, PyValue } from '@rolecall/core/internal/python'
import type { Checker } from '@rolecall/core/internal/schema'
import type { SplitWords } from '../../../python/word-split/word-tokenize.ts'
import type { EmbeddingSource } from '../../dataset/retrieve/embedding-source.ts'
import type { PostprocessorConfig } from '../postprocess/postprocessor.ts'
import { entriesIn, noOptions } from '../register-by-name.ts'
import type { JudgeWord } from './judge-word.ts'
import type { Vote } from './majority.ts'
import type { Metric } from './metric.ts'

/**
 * An answer, the right one, and its row; `tokens` are those of its prompts, if counted, and
 * `choices` the candidates, each with its log-likelihood, if requested. `votes` are the values read from each of several
 * answers. For tool calls, `said` is the text beside them, and `tools` the tools offered to the model.
 */
export type Answer = {
  prediction: PyValue
  reference: PyValue
  row: Row
  tokens?: number
  choices?: readonly LikelyChoice[]
  votes?: readonly Vote[]
  said?: string
  /** The same for each of several answers. */
  texts?: readonly string[]
  tools?: readonly PyDict[]
  /** The model's answer, if `prediction` is the reply of a judge or the result of a program. */
  answered?: PyValue
}

/** `isGreedy`: each of its tokens was the most likely one; undefined if not requested or unknown. */
export type LikelyChoice = { label: string; logLikelihood: number; isGreedy?: boolean | undefined }

/** The judgement of one answer. */
export type Judgement<Kept = unknown> = {
  /** 1 for right, 0 for wrong, or a value to average. */
  score: number
  /** The judge could not decide: the row is counted but has no score. */
  undecided?: true
  /** The answer is a baseline and not scored. */
  unscored?: true
  /** For judge models: what its replies come to, one for each question. */
  verdicts?: readonly JudgeWord[]
  /** What was compared, and the result, with the key names of the reference. */
  detail: Record<string, PyValue>
  /** What the metrics over all rows need from this one: little, to keep memory small. */
  keep?: Kept
}

/**
 * A program that passes if it runs to its end, or one that leaves its test result, a text, in a variable; `next` is the program to run after
 * it, given what it left. What several programs leave are lines of one text. `decide` is instead of that: given what the program left, the
 * program that takes its place, or the result.
 */
export type Program =
  | string
  | {
      code: string
      leaves: string
      next?: (left: string) => Program | undefined
      decide?: (left: string) => Program | { said: string }
    }

/** Code that runs once before all programs, which then share one interpreter, and the files it needs, as paths; `error` explains why it failed. */
export type ProgramSetup = { code: string; files: readonly string[]; error: (said: string) => PromptError }

/** The prediction of a program that ran to its end. */
export const passed = 'passed'

/** Prefix of the variable a program leaves, so that no answer can claim to have passed. */
export const leaving = 'left: '

/** The stand-in for a program's result in checks before the first request, where nothing runs. */
export const standInText = 'reached the end'

/** The prediction of a judge that was not queried, because `unless` settled the answer; a judge that was may reply with nothing. */
export const notAsked = null

/** Metrics by name. */
export type Figures = Record<string, number>

/** A secondary metric. */
export type FigureBeside = Pick<Metric, 'metric' | 'unit' | 'direction'>

/** A model as written in a config; `evaluation/config` checks it like any other. */
export type JudgeModel = { type?: string | undefined } & Record<string, unknown>

/** The request to a judge model. `against`: the opponent to compare with; the judge is then queried twice, in both orders. */
export type Asks = {
  model: JudgeModel
  prompt_template: unknown
  pred_postprocessor?: PostprocessorConfig
  against?: Opponent
  /** The rounds of a chat are shown as one list of dicts. */
  packsRounds?: true
  /** Answers that need no judge. */
  unless?: (answer: Pick<Answer, 'prediction' | 'reference' | 'row'>) => boolean
}

/** Texts whose likeness an embedding model measures. */
export type Embeds = {
  source: EmbeddingSource
  pairs: (answer: string, reference: PyValue) => readonly (readonly [one: string, other: string])[]
}

/** The baseline of a comparison: a model of the same run, or a column. */
export type Opponent = { model: string } | { column: string }

/** Judges answers one by one. */
export type Evaluator<Kept = never> = Metric & {
  /** Whether a gold answer is needed. */
  needsReference: boolean
  /** It judges tool calls: the prediction is the list of calls parsed from the answer, or a list of these for the turns of a chat. */
  readsCalls?: true
  /** For judge models: the model, its request, and the postprocessing of an answer. `judge` then gets the judge's reply as the prediction. */
  asks?: Asks
  /** For code tests: the program for a row, its answer and its gold answer. `judge` then gets its result as the prediction. */
  runs?: (row: Row, answer: string, reference: PyValue) => Program
  /** For programs that need more than Python's own library. */
  setup?: ProgramSetup
  /** For texts compared by an embedding model: `judge` then gets the cosine similarity of each pair as the prediction, a list. */
  embeds?: Embeds
  /** It scores all answers to a row together; otherwise each is scored, and the metrics are means. */
  readsSamples?: true
  /** The gold answer is not what a model replies, e.g. the numbers of a puzzle: it cannot be tested as a reply. */
  goldIsNoReply?: true
  /** A right answer to a row without a gold column, for trying the evaluator before anything is sent. */
  standIn?(row: Row): string
  /** Where likelihoods of a row's own choices are compared: why none of them can be right; undefined if one can. */
  whyNoChoice?(row: Row): string | undefined
  judge(answer: Answer): Judgement<Kept>
  /** Like `judge`, for a user's function that may be asynchronous; only a promise is awaited. */
  judgeLater?(answer: Answer): Judgement<Kept> | Promise<Judgement<Kept>>
  /** Metrics that are not the mean of the rows' scores (BLEU, a correlation), from the kept values; one is the main metric. */
  summarise?(kept: readonly Kept[], computed?: string): Figures
  /** For metrics that a program computes over all rows: `summarise` then gets what it left. */
  summaryRuns?(kept: readonly Kept[]): Program
  /** Metrics where there is nothing to score: only under `compat`, and if the reference has some. */
  ofNothing?: Readonly<Figures>
  /** The metrics of the summary to display as secondary ones, with their meaning; the others are in the results' JSON. */
  beside?: readonly FigureBeside[]
  /** Secondary metrics whose names are only known with their values. */
  besideIn?(figures: Figures): readonly FigureBeside[]
  /** What is resampled for its interval: the kept values (the default with a summary), the rows' scores, or nothing. */
  interval?: 'kept' | 'scores' | 'none'
}

/** The main metric of an evaluator for some answers, to two digits; `options` if it needs any. */
export type EvaluatorExample = { options?: Readonly<Record<string, unknown>> } & (
  | { answers: readonly PyValue[]; gold?: readonly PyValue[]; rows?: readonly Row[]; tokens?: readonly number[]; figures: Figures }
  /** For judge models: their replies. */
  | { verdicts: readonly (string | readonly string[])[]; answered?: readonly PyValue[]; gold?: readonly PyValue[]; figures: Figures }
  /** For code tests: the program to run, or its end after an ellipsis. */
  | { row: Row; answer: string; gold?: PyValue; program: string }
)

/** An evaluator as registered: with its names and options. */
export type EvaluatorDefinition<Options = unknown, Kept = unknown> = {
  /** Its names: OpenCompass's class first. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** A worked example for the docs, which a test runs. */
  example: EvaluatorExample
  /** The reference's metrics where there is nothing to score; most of its evaluators fail there. */
  ofNothing?: Readonly<Figures>
  /** The options in a config, in addition to `type`. */
  options: Checker<Options>
  /** With some options it compares texts by embeddings, from its option `embeddings`. */
  needsEmbeddings?: true
  /** It segments Chinese, always or with some options; `with` then receives a function for that. */
  needsWords?: true | ((options: Options) => boolean)
  /** `compat`: metrics as in the reference. `nested`: creates the evaluator that a config in the options names. */
  with(options: Options, words: SplitWords, compat: 'opencompass' | undefined, nested: NestedEvaluator): Evaluator<Kept>
}

export type NestedEvaluator = (config: { type?: string | undefined } & Record<string, unknown>, place: string) => Evaluator<unknown>

type Described = Pick<EvaluatorDefinition, 'names' | 'does' | 'example' | 'ofNothing'>

/** Type-checks that options, judgement and summary match. An evaluator without options is written without `options` and `with`. */
export function defineEvaluator<Kept = never>(definition: Described & Evaluator<Kept>): EvaluatorDefinition<unknown, Kept>
export function defineEvaluator<Options, Kept = never>(definition: EvaluatorDefinition<Options, Kept>): EvaluatorDefinition<Options, Kept>
export function defineEvaluator(definition: EvaluatorDefinition | (Described & Evaluator<unknown>)): EvaluatorDefinition {
  if ('with' in definition) return definition
  const { names, does, example, ofNothing, ...evaluator } = definition
  const described = { names, does, example, ...(ofNothing ? { ofNothing } : {}) }
  return { ...described, options: noOptions, with: () => evaluator }
}

/** The evaluators among the exports of modules, which also export functions for other modules. */
export function evaluatorsIn(...modules: readonly object[]): EvaluatorDefinition[] {
  return entriesIn('with', modules)
}

/** For evaluators that only know right and wrong. */
export function verdict(correct: boolean, detail: Record<string, PyValue>): Judgement<never> {
  // The caller created it for this: a copy would take longer than most comparisons.
  detail.correct = correct
  return { score: Number(correct), detail }
}
