import type { Row } from '../dataset/row.ts'
import type { Prompt } from '../format/format.ts'
import type { InferContext, Inferred, PlanContext, RowQuestion } from '../infer/inferencer.ts'
import { stopsRun } from '../model/stops-run.ts'
import { distinctNotes, type Note } from '../note.ts'
import { bodyOf } from '../program/flatten.ts'
import { PromptError } from '../prompt-error.ts'
import { dictGet, type PyValue, stringifyJson } from '../python/index.ts'
import type { RowAnswer, RowRecord } from '../report/run-record.ts'
import type { Pair } from './plan-run.ts'
import { questionText } from './request-key.ts'
import type { AnswerCache, RowStore, RunEnvironment, RunOptions } from './run-environment.ts'

/** What all rows of a pair share while they are answered. */
export type PairContext = {
  pair: Pair
  environment: RunEnvironment
  options: RunOptions
  plan: PlanContext
  /** The second half of every row's key. */
  settings: string
  /** Whether asking again would give the same answer. */
  isRepeatable: boolean
  store?: RowStore
  cache?: AnswerCache
  /** The model, opened when the first row is asked. */
  infer(): InferContext | Promise<InferContext>
}

/** A row with its answer, and what a summary needs besides; no record where it may not be asked. */
export type Answered = { record?: RowRecord; keep?: unknown; from: 'asked' | 'stored' | 'cached' | 'nowhere' }

/** Answers a row from what is stored, from the cache, or by the model; what is new is stored before this is done. */
export function answerRow(context: PairContext, row: Row, id: number, examples: readonly Row[]): Answered | Promise<Answered> {
  const { pair, environment, options, store, cache, isRepeatable } = context
  const question: RowQuestion = { row, examples }
  const base = { id, key: '', row_hash: environment.hash(stringifyJson(row)).slice(0, 32) }
  let asked: string
  try {
    asked = environment.hash(questionText(pair.inferencer.prompts(context.plan, question), pair, question)).slice(0, 32)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    const key = environment.hash(`${base.row_hash} ${error.message}`).slice(0, 32) + context.settings
    return failure({ ...base, key }, error)
  }
  base.key = asked + context.settings
  const stored = store?.find(id, base.key, isRepeatable)
  if (stored && !(options.retryErrors && stored.error !== undefined && stored.prediction === null)) return fromStore(stored)
  const cached = isRepeatable ? cache?.find(asked) : undefined
  if (cached) return keep(judged(context, { ...base, ...cached, cached: true }, row), 'cached')
  return options.offline ? { from: 'nowhere' } : ask()

  async function ask(): Promise<Answered> {
    const infer = context.infer()
    const ready = infer instanceof Promise ? await infer : infer
    const started = environment.now()
    let inferred: Inferred
    try {
      inferred = await pair.inferencer.infer(ready, question)
    } catch (error) {
      // What would meet every row alike stops the run, and nothing is written about the row.
      if (!(error instanceof PromptError) || stopsRun(error)) throw error
      return failure(base, error, environment.now() - started)
    }
    // Half an answer is none: the row is asked again when the run is resumed.
    if (inferred.finish === 'aborted') return { from: 'nowhere' }
    const answer = answerOf(context, inferred, own(row, examples), environment.now() - started)
    if (isRepeatable) cache?.add(asked, answer)
    return keep(judged(context, { ...base, ...answer }, row), 'asked')
  }

  function keep(answered: { record: RowRecord; keep?: unknown }, from: Answered['from']): Answered {
    store?.add(answered.record)
    return { ...answered, from }
  }

  function fromStore(record: RowRecord): Answered {
    if (record.prediction === null && record.error !== undefined) return { record: { ...record, ...base }, from: 'stored' }
    const { gold: _, score: __, details: ___, error: ____, ...answer } = record
    // What is only scored again keeps the key it was asked with.
    const again = judged(context, { ...answer, ...base, ...(options.offline ? { key: record.key } : {}) }, row)
    // The right answer, the evaluator or the row's number may have changed since.
    if (stringifyJson(again.record as never) !== stringifyJson(record as never)) store!.add(again.record)
    return { ...again, from: 'stored' }
  }

  function failure(known: typeof base, error: PromptError, milliseconds = 0): Answered {
    const nothing = { prompt_hash: '', prediction: null, tokens: { prompt: 0, reused: 0, reply: 0 }, examples: { used: 0, dropped: 0 } }
    const record = { ...known, ...goldOf(pair, row), ...nothing, milliseconds: Math.round(milliseconds), error: error.message }
    const before = store?.find(id, known.key, false)
    if (before && !options.retryErrors) return { record: before, from: 'stored' }
    return keep({ record }, 'asked')
  }
}

/** Compares an answer with the right one. */
function judged(
  { pair }: PairContext,
  answered: Omit<RowRecord, 'gold' | 'score' | 'details'>,
  row: Row,
): { record: RowRecord; keep?: unknown } {
  const { id, key, row_hash, ...answer } = answered
  const gold = goldOf(pair, row)
  const start = { id, key, row_hash, ...gold }
  try {
    const { score, detail, keep } = pair.evaluator.judge({
      prediction: cleaned(answer.prediction, pair.clean.prediction),
      reference: cleaned(gold.gold ?? null, pair.clean.reference),
      row,
    })
    return { record: { ...start, score, details: detail, ...answer }, keep }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return { record: { ...start, ...answer, error: error.message } }
  }
}

function goldOf({ dataset }: Pair, row: Row): { gold?: PyValue } {
  const column = dataset.reader_cfg?.output_column
  const gold = column ? dictGet(row, column) : undefined
  return gold === undefined ? {} : { gold }
}

function cleaned(value: PyValue, clean: (text: string) => PyValue): PyValue {
  return typeof value === 'string' ? clean(value) : value
}

function answerOf({ environment, options }: PairContext, inferred: Inferred, more: readonly Note[], milliseconds: number): RowAnswer {
  const bodies = inferred.prompts.map(sentText)
  const notes = distinctNotes([...inferred.notes, ...more])
  return {
    prompt_hash: environment.hash(bodies.join('\u0000')),
    ...(options.keepPrompts ? { prompts: bodies } : {}),
    prediction: inferred.prediction,
    ...(inferred.scores ? { scores: inferred.scores.map(rounded) } : {}),
    ...(inferred.finish ? { finish: inferred.finish } : {}),
    tokens: inferred.tokens,
    examples: inferred.examples,
    milliseconds: Math.round(milliseconds),
    ...(notes.length > 0 ? { notes } : {}),
  }
}

function own(row: Row, examples: readonly Row[]): Note[] {
  return examples.includes(row)
    ? [{ code: 'example-is-question', text: 'an example is the row being asked: the prompt shows its answer' }]
    : []
}

/** What is sent, as text; token ids, which have none, are written as <#92543>. */
export function sentText(prompt: Prompt): string {
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
