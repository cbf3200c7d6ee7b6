import type { Row } from '../dataset/row.ts'
import type { Prompt } from '../format/format.ts'
import type { InferContext, Inferred, PlanContext, RowQuestion } from '../infer/inferencer.ts'
import { stopsRun } from '../model/stops-run.ts'
import { distinctNotes, type Note } from '../note.ts'
import { bodyOf } from '../program/flatten.ts'
import { PromptError } from '../prompt-error.ts'
import { compactJson, dictGet, isList, type PyValue } from '../python/index.ts'
import type { RowAnswer, RowRecord } from '../report/run-record.ts'
import { askJudge, type JudgeContext, type Judged } from './ask-judge.ts'
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
  /** Where a model judges the answers. */
  judge?: JudgeContext
  /** The model, opened when the first row is asked. */
  infer(): InferContext | Promise<InferContext>
}

/** An answer that nothing has been compared with yet. */
type Unjudged = { key: string; answer: RowAnswer; cached?: true | undefined }

type Scored = { record: RowRecord; keep?: unknown }

/** A row with its answer, and what a summary needs besides; no record where it may not be asked. */
export type Answered = { record?: RowRecord; keep?: unknown; from: 'asked' | 'stored' | 'cached' | 'nowhere' }

/** Answers a row from what is stored, from the cache, or by the model; what is new is stored before this is done. */
export function answerRow(context: PairContext, row: Row, id: number, examples: readonly Row[]): Answered | Promise<Answered> {
  const { pair, environment, options, store, cache, isRepeatable } = context
  const question: RowQuestion = { row, examples }
  const rowHash = environment.hash(compactJson(row)).slice(0, 32)
  let asked: string
  try {
    asked = environment.hash(questionText(pair.inferencer.prompts(context.plan, question), pair, question)).slice(0, 32)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return failure(environment.hash(`${rowHash} ${error.message}`).slice(0, 32) + context.settings, error, 0)
  }
  const key = asked + context.settings
  const stored = store?.find(id, key, isRepeatable)
  if (stored && !(options.retryErrors && isFailure(stored))) return fromStore(stored)
  const cached = isRepeatable ? cache?.find(asked) : undefined
  if (cached) return judge({ key, answer: cached, cached: true }, 'cached')
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
      return failure(key, error, environment.now() - started)
    }
    // Half an answer is none: the row is asked again when the run is resumed.
    if (inferred.finish === 'aborted') return { from: 'nowhere' }
    const answer = answerOf(context, inferred, own(row, examples), environment.now() - started)
    if (isRepeatable) cache?.add(asked, answer)
    return judge({ key, answer }, 'asked')
  }

  /** Scores an answer; a model that judges is asked first. */
  function judge(given: Unjudged, from: Answered['from'], before?: RowRecord): Answered | Promise<Answered> {
    // The right answer, the evaluator or the row's number may have changed since it was stored.
    const settle = (result: Scored): Answered =>
      before && compactJson(result.record as never) === compactJson(before as never)
        ? { record: result.record, keep: result.keep, from }
        : keep(result, from)
    if (!context.judge) return settle(scored(given))
    const prediction = eachCleaned(given.answer.prediction, pair.clean.prediction)
    return askJudge(context.judge, row, prediction, before).then(
      // The answer is kept, also where the judge was interrupted: going on with the run asks it again.
      (told) => settle(scored(given, told)),
      (error: unknown) => {
        if (!(error instanceof PromptError) || stopsRun(error)) throw error
        return keep({ record: recordOf(knownOf(given), given.answer, undefined, undefined, `the judge: ${error.message}`) }, from)
      },
    )
  }

  /** Compares an answer with the right one. */
  function scored(given: Unjudged, told?: Judged): Scored {
    const { answer } = given
    const known = knownOf(given)
    try {
      if (told && told.said === undefined) throw notJudged(pair)
      const judgement = pair.evaluator.judge({
        prediction: told ? told.said! : cleaned(answer.prediction, pair.clean.prediction),
        reference: cleaned(known.gold ?? null, pair.clean.reference),
        row,
      })
      const detail = told
        ? { pred: eachCleaned(answer.prediction, pair.clean.prediction), ...judgement.detail, judge_key: told.key, judge_said: told.said! }
        : judgement.detail
      return { record: recordOf(known, answer, judgement.score, detail, undefined), keep: judgement.keep }
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      return { record: recordOf(known, answer, undefined, undefined, error.message) }
    }
  }

  function knownOf({ key: asKey, cached: fromCache }: Unjudged): Known {
    return { id, key: asKey, rowHash, gold: goldOf(pair, row), cached: fromCache }
  }

  function keep(answered: Scored, from: Answered['from']): Answered {
    store?.add(answered.record)
    return { record: answered.record, keep: answered.keep, from }
  }

  function fromStore(record: RowRecord): Answered | Promise<Answered> {
    if (isFailure(record)) return { record, from: 'stored' }
    // What is only scored again keeps the key it was asked with.
    return judge({ key: options.offline ? record.key : key, answer: record, cached: record.cached }, 'stored', record)
  }

  function failure(asKey: string, error: PromptError, milliseconds: number): Answered {
    const before = options.retryErrors ? undefined : store?.find(id, asKey, false)
    if (before) return { record: before, from: 'stored' }
    const known = { id, key: asKey, rowHash, gold: goldOf(pair, row), cached: undefined }
    return keep(
      { record: recordOf(known, { ...noAnswer, milliseconds: Math.round(milliseconds) }, undefined, undefined, error.message) },
      'asked',
    )
  }
}

const noAnswer = { prompt_hash: '', prediction: null, tokens: { prompt: 0, reused: 0, reply: 0 }, examples: { used: 0, dropped: 0 } }

/** Whether a row has no answer at all; one that only could not be scored has. */
function isFailure({ error, prediction }: RowRecord): boolean {
  return error !== undefined && prediction === null
}

type Known = { id: number; key: string; rowHash: string; gold: PyValue | undefined; cached: true | undefined }

/** Field by field: records of one shape are made and written several times faster than ones that are spread together. */
function recordOf(
  { id, key, rowHash, gold, cached }: Known,
  answer: RowAnswer,
  score: number | undefined,
  details: Record<string, PyValue> | undefined,
  error: string | undefined,
): RowRecord {
  return {
    id,
    key,
    row_hash: rowHash,
    gold,
    score,
    details,
    prompt_hash: answer.prompt_hash,
    prompts: answer.prompts,
    prediction: answer.prediction,
    scores: answer.scores,
    finish: answer.finish,
    tokens: answer.tokens,
    examples: answer.examples,
    milliseconds: answer.milliseconds,
    notes: answer.notes,
    cached,
    error,
  }
}

function goldOf({ dataset }: Pair, row: Row): PyValue | undefined {
  const column = dataset.reader_cfg?.output_column
  return column ? dictGet(row, column) : undefined
}

function notJudged({ name }: Pair): PromptError {
  return new PromptError('not-judged', {
    where: name.dataset,
    problem: 'the judge has not been asked about this answer',
    fix: 'run it again (rolecall run -r), which asks the judge',
  })
}

function eachCleaned(value: PyValue, clean: (text: string) => PyValue): PyValue {
  return isList(value) ? value.map((one) => cleaned(one, clean)) : cleaned(value, clean)
}

function cleaned(value: PyValue, clean: (text: string) => PyValue): PyValue {
  return typeof value === 'string' ? clean(value) : value
}

function answerOf({ environment, options }: PairContext, inferred: Inferred, more: readonly Note[], milliseconds: number): RowAnswer {
  const bodies = inferred.prompts.map(sentText)
  const notes = inferred.notes.length + more.length === 0 ? undefined : distinctNotes([...inferred.notes, ...more])
  return {
    prompt_hash: environment.hash(bodies.join('\u0000')),
    prompts: options.keepPrompts ? bodies : undefined,
    prediction: inferred.prediction,
    scores: inferred.scores?.map(rounded),
    finish: inferred.finish,
    tokens: inferred.tokens,
    examples: inferred.examples,
    milliseconds: Math.round(milliseconds),
    notes,
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
