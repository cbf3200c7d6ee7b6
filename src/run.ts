import { compilePrompt, type PromptMaker } from './compile-prompt.ts'
import type { DatasetConfig, ModelConfig } from './config/config-schema.ts'
import type { Row } from './dataset/row.ts'
import type { Format, Prompt } from './format/format.ts'
import { planContext } from './infer/infer-context.ts'
import type { InferContext, Inferencer, Inferred } from './infer/inferencer.ts'
import { inferencerOf } from './infer/inferencers.ts'
import type { LanguageModel } from './model/language-model.ts'
import { stopsRun } from './model/stops-run.ts'
import type { OpenModelOptions } from './model/wait.ts'
import type { Note } from './note.ts'
import { bodyOf } from './program/flatten.ts'
import { PromptError } from './prompt-error.ts'
import { dictGet, type PyValue } from './python/index.ts'
import type { PairResult, RowRecord } from './report/run-record.ts'
import { Tally, type TallySubject } from './report/tally.ts'
import type { Evaluator } from './score/evaluate/evaluator.ts'
import { evaluatorOf } from './score/evaluate/evaluators.ts'
import { postprocessorOf } from './score/postprocess/postprocessors.ts'

/** A dataset's rows, opened: those to ask, how many there are if that is known, and what is shown to each as examples. */
export type OpenRows = {
  rows: AsyncIterable<Row>
  total?: number
  examplesFor: (row: Row, number: number) => readonly Row[] | Promise<readonly Row[]>
  /** How many of the rows asked so far are among those that examples are chosen from. */
  overlap?: () => number
  /** Rows that could not be read so far. */
  skipped: () => { count: number; notes: readonly Note[] }
}

/** What a run needs from outside: models, files, a clock, a hash. */
export type RunEnvironment = {
  openModel(config: ModelConfig, format: Format, options?: OpenModelOptions): Promise<LanguageModel>
  openRows(dataset: DatasetConfig): Promise<OpenRows>
  now(): number
  hash(text: string): string
}

export type RunOptions = {
  /** The most rows of each dataset. */
  limit?: number
  /** Keep what was sent in the records. */
  keepPrompts?: boolean
  signal?: AbortSignal
}

/** One model on one dataset, checked and ready to be asked. */
export type Pair = {
  model: ModelConfig
  dataset: DatasetConfig
  name: { model: string; dataset: string }
  maker: PromptMaker
  inferencer: Inferencer
  evaluator: Evaluator<unknown>
  /** What is done to an answer and to the gold answer before they are compared. */
  clean: { prediction: (text: string) => PyValue; reference: (text: string) => PyValue }
}

export type RunEvent =
  | { kind: 'start'; pair: Pair; total?: number }
  | { kind: 'row'; pair: Pair; record: RowRecord; done: number; total?: number }
  | { kind: 'end'; pair: Pair; result: PairResult /** Of each row, to compare runs row by row. */; scores: readonly number[] }

/** Joins every model with every dataset. All mistakes that can be found before anything is asked are found here. */
export function planRun(models: readonly ModelConfig[], datasets: readonly DatasetConfig[]): Pair[] {
  return models.flatMap((model, modelNumber) =>
    datasets.map((dataset, datasetNumber): Pair => {
      const name = { model: model.abbr ?? `model-${modelNumber}`, dataset: dataset.abbr ?? `dataset-${datasetNumber}` }
      const maker = compilePrompt(model, dataset)
      const { eval_cfg: evaluation = {} } = dataset
      const inferencer = inferencerOf(dataset.infer_cfg.inferencer?.type, name.dataset)
      if (inferencer.needs === 'score' && maker.format.kind === 'chat') {
        throw new PromptError('cannot-score', {
          where: `${name.dataset} › infer_cfg.inferencer.type`,
          problem: `${name.model} takes messages, and does not tell how likely they are`,
          fix: 'ask it by generation (GenInferencer), or use a model with a text format',
        })
      }
      inferencer.check?.({ maker, where: name.dataset })
      const hasAnswers = Boolean(dataset.reader_cfg?.output_column)
      const evaluator = evaluatorOf(evaluation.evaluator, hasAnswers, name.dataset)
      if (evaluator.needsReference && !hasAnswers) {
        throw new PromptError('missing', {
          where: `${name.dataset} › reader_cfg.output_column`,
          problem: 'answers are compared with a column, and none is named',
          fix: 'set reader_cfg.output_column to the column with the right answers',
        })
      }
      return {
        model,
        dataset,
        name,
        maker,
        inferencer,
        evaluator,
        clean: {
          prediction: postprocessorOf(evaluation.pred_postprocessor, `${name.dataset} › eval_cfg.pred_postprocessor`),
          reference: postprocessorOf(evaluation.dataset_postprocessor, `${name.dataset} › eval_cfg.dataset_postprocessor`),
        },
      }
    }),
  )
}

/** Asks every pair, row by row, and tells what happens. Memory does not grow with the dataset. */
export async function* runPairs(pairs: readonly Pair[], environment: RunEnvironment, options: RunOptions = {}): AsyncGenerator<RunEvent> {
  for (const pair of pairs) {
    if (options.signal?.aborted) return
    const model = await environment.openModel(pair.model, pair.maker.format)
    try {
      if (pair.inferencer.needs === 'score' && !model.score) {
        throw new PromptError('cannot-score', {
          where: `${pair.name.dataset} › infer_cfg.inferencer.type`,
          problem: `${pair.name.model} does not tell how likely a text is`,
          fix: 'ask it by generation (GenInferencer)',
        })
      }
      yield* runPair(pair, model, environment, options)
    } finally {
      await model.close?.()
    }
  }
}

async function* runPair(pair: Pair, model: LanguageModel, environment: RunEnvironment, options: RunOptions): AsyncGenerator<RunEvent> {
  const opened = await environment.openRows(pair.dataset)
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  const total = opened.total === undefined ? undefined : Math.min(opened.total, limit)
  const known = total === undefined ? {} : { total }
  yield { kind: 'start', pair, ...known }
  const { signal } = options
  const infer: InferContext = { ...planContext(pair, model.tokenizer), model, ...(signal ? { signal } : {}) }
  const context: AskContext = { pair, infer, environment, options }
  const tally = new Tally(subjectOf(pair), pair.evaluator)
  const started = environment.now()
  const scores: number[] = []
  for await (const { record, notes, keep } of inOrder(takeRows(opened.rows, limit), model.concurrency ?? 1, async ({ row, number }) =>
    askRow(context, row, number, await opened.examplesFor(row, number)),
  )) {
    if (options.signal?.aborted) return
    tally.add(record, notes, keep)
    scores.push(record.score ?? Number.NaN)
    yield { kind: 'row', pair, record, done: scores.length, ...known }
  }
  tally.addOverlap(opened.overlap?.() ?? 0)
  yield { kind: 'end', pair, result: tally.result((environment.now() - started) / 1000, opened.skipped()), scores }
}

function subjectOf({ name, dataset: { compat } }: Pair): TallySubject {
  return { ...name, ...(compat === undefined ? {} : { compat }) }
}

async function* takeRows(rows: AsyncIterable<Row>, limit: number): AsyncGenerator<{ row: Row; number: number }> {
  let number = 0
  if (limit <= 0) return
  for await (const row of rows) {
    yield { row, number: number++ }
    if (number >= limit) return
  }
}

/** Works on several at once and gives the results in the order of what came in. */
async function* inOrder<Given, Result>(
  given: AsyncIterable<Given>,
  atOnce: number,
  work: (one: Given) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  for await (const one of given) {
    const started = work(one)
    // A later one may fail while an earlier one is awaited: it is looked at in its turn.
    started.catch(() => undefined)
    running.push(started)
    if (running.length >= atOnce) yield await running.shift()!
  }
  while (running.length > 0) yield await running.shift()!
}

type AskContext = { pair: Pair; infer: InferContext; environment: RunEnvironment; options: RunOptions }

/** A row as it is written, with what a summary needs besides. */
type Asked = { record: RowRecord; notes: readonly Note[]; keep?: unknown }

async function askRow(context: AskContext, row: Row, id: number, examples: readonly Row[]): Promise<Asked> {
  const { pair, environment } = context
  const started = environment.now()
  const column = pair.dataset.reader_cfg?.output_column
  const gold = column ? dictGet(row, column) : undefined
  let inferred: Inferred | undefined
  try {
    inferred = await pair.inferencer.infer(context.infer, { row, examples })
    const { score, detail, keep } = judge(pair, inferred, gold, row)
    const record = { ...recordOf(context, id, inferred, gold), score, details: detail, milliseconds: elapsed() }
    const own = examples.includes(row)
      ? [{ code: 'example-is-question', text: 'an example is the row being asked: the prompt shows its answer' }]
      : []
    return { record, notes: [...inferred.notes, ...own], keep }
  } catch (error) {
    if (!(error instanceof PromptError) || stopsRun(error)) throw error
    const wrong = pair.evaluator.unit === 'percent' ? { score: 0 } : {}
    return { record: { ...recordOf(context, id, inferred, gold), ...wrong, milliseconds: elapsed(), error: error.message }, notes: [] }
  }

  function elapsed(): number {
    return Math.round(environment.now() - started)
  }
}

function judge({ evaluator, clean }: Pair, { prediction }: Inferred, gold: PyValue | undefined, row: Row) {
  return evaluator.judge({ prediction: cleaned(prediction, clean.prediction), reference: cleaned(gold ?? null, clean.reference), row })
}

/** What was asked and what came back; nothing came back where a row could not be asked. */
function recordOf({ environment, options }: AskContext, id: number, inferred: Inferred | undefined, gold: PyValue | undefined): RowRecord {
  const bodies = inferred?.prompts.map(sentText) ?? []
  return {
    id,
    prompt_hash: inferred ? environment.hash(bodies.join('\u0000')) : '',
    ...(options.keepPrompts && inferred ? { prompts: bodies } : {}),
    prediction: inferred?.prediction ?? null,
    ...(gold === undefined ? {} : { gold }),
    ...(inferred?.scores ? { scores: inferred.scores.map(rounded) } : {}),
    ...(inferred?.finish ? { finish: inferred.finish } : {}),
    tokens: inferred?.tokens ?? { prompt: 0, reused: 0, reply: 0 },
    examples: inferred?.examples ?? { used: 0, dropped: 0 },
    milliseconds: 0,
  }
}

function cleaned(value: PyValue, clean: (text: string) => PyValue): PyValue {
  return typeof value === 'string' ? clean(value) : value
}

/** What is sent, as text; token ids, which have none, are written as <#92543>. */
function sentText(prompt: Prompt): string {
  if (prompt.kind === 'chat') return bodyOf(prompt)
  return prompt.pieces
    .map((piece) => ('text' in piece ? piece.text : 'ids' in piece ? piece.ids.map((id) => `<#${id}>`).join('') : ''))
    .join('')
}

/** Enough digits to compare, few enough to read. NaN is no JSON. */
function rounded({ label, value, logProbabilities }: NonNullable<Inferred['scores']>[number]) {
  return {
    ...(label === undefined ? {} : { label }),
    value: Number.isFinite(value) ? value : null,
    log_probabilities: logProbabilities.map((one) => (one === null ? null : Number(one.toFixed(5)))),
  }
}
