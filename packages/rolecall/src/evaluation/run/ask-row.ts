import type { Row } from '@rolecall/core/internal/conversation'
import { distinctNotes, type Note } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { RecordedCall } from '@rolecall/core/internal/reply'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { ownExample } from '../dataset/same-question.ts'
import { askModel, type OnTokens, type RowInference } from './ask/ask-model.ts'
import type { RequestPlan, RowQuestion } from './ask/inferencer.ts'
import { composedText, requestsText } from './ask/request-text.ts'
import { allRequests, fitRow, type StartedRow, startRow } from './ask/start-row.ts'
import type { Pair } from './plan-run.ts'
import type { RecordedScore, RowAnswer, TokenUsage } from './record/run-record.ts'
import { type LogProbabilitiesToKeep, trimScores } from './record/trim-scores.ts'
import { rowCostCheck } from './row-cost.ts'
import type { RunEnvironment, RunOptions } from './run-types.ts'

/** An open model, and its request plan now that the tokenizer is known. */
export type OpenedPair = { plan: RequestPlan; model: LanguageModel }

/** The requests of a row before they are sent: their prompts as text, and a hash of all of them. */
export type HashedRequests = { begun: StartedRow; bodies: readonly string[]; asked: string }

/** Renders the requests of a row with all its examples and hashes them: the first half of the row's key. */
export function hashRequests(plan: RequestPlan, question: RowQuestion, hash: (text: string) => string): HashedRequests {
  const begun = startRow(plan, question)
  const requests = allRequests(plan, begun)
  const bodies: string[] = []
  for (const request of requests) for (const composed of request.prompts) bodies.push(composedText(composed))
  return { begun, bodies, asked: hash(requestsText(requests, bodies)).slice(0, 32) }
}

/** The pair of a row, and how much of its answer is recorded. */
export type RowContext = { pair: Pair; environment: Pick<RunEnvironment, 'hash' | 'now'>; options: AskRowOptions }

export type AskRowOptions = Pick<RunOptions, 'keepPrompts' | 'logProbabilities' | 'signal'>

/** Sends the requests of a row, with as many examples as fit; undefined if aborted. */
export async function askRow(
  asking: RowContext,
  { plan, model }: OpenedPair,
  { begun, bodies }: HashedRequests,
  draw: number | undefined,
  /** What the row has spent before. */
  spent?: TokenUsage,
  onTokens?: OnTokens,
): Promise<RowAnswer | undefined> {
  const { pair, environment, options } = asking
  const { row, examples } = begun.question
  const started = environment.now()
  const fitted = fitRow(plan, begun)
  // The hashed prompts are sent, unless examples had to be dropped.
  const known = fitted.first === begun.first ? bodies : undefined
  const inferred = await askModel(plan, fitted, model, options.signal, known, draw, rowCostCheck(pair, spent), onTokens)
  if (inferred.finish === 'aborted') return undefined
  return answerOf(asking, inferred, own(pair, row, examples, inferred), environment.now() - started)
}

function answerOf(
  { environment, options, pair }: RowContext,
  inferred: RowInference,
  more: readonly Note[],
  milliseconds: number,
): RowAnswer {
  const { bodies } = inferred
  const notes = inferred.notes.length + more.length === 0 ? undefined : distinctNotes([...inferred.notes, ...more])
  return {
    prompt_hash: environment.hash(bodies.join('\u0000')),
    prompts: options.keepPrompts ? bodies : undefined,
    prediction: inferred.prediction,
    reasoning: reasoningOf(inferred),
    ...callsOf(inferred),
    scores: inferred.scores && recordedScores(inferred.scores, options.logProbabilities, pair),
    finish: inferred.finish,
    tokens: inferred.tokens,
    examples: inferred.examples,
    milliseconds: Math.round(milliseconds),
    notes,
  }
}

/** The parsed calls: a list of lists if the row has several answers. */
function callsOf({ prediction, calls }: RowInference): Pick<RowAnswer, 'calls' | 'calls_by'> {
  if (!calls) return {}
  const each = calls.map((one) => one.calls as readonly RecordedCall[] as PyValue)
  const by = calls.some((one) => one.by === 'server') ? 'server' : calls.some((one) => one.by === 'ids') ? 'ids' : 'text'
  return { calls: typeof prediction === 'string' ? each.at(-1)! : each, calls_by: by }
}

/** The reasoning that the server returned: a list if the row has several answers. */
function reasoningOf({ prediction, reasoning }: RowInference): RowAnswer['reasoning'] {
  return reasoning && (typeof prediction === 'string' ? reasoning.at(-1) : reasoning)
}

function own({ dataset }: Pair, row: Row, examples: readonly Row[], { examples: { used } }: RowInference): Note[] {
  const number = ownExample(row, examples, dataset.reader_cfg)
  return number >= 0 && number < used
    ? [{ code: 'example-is-question', text: 'an example is the row being asked: the prompt shows its answer' }]
    : []
}

function recordedScores(scores: NonNullable<RowInference['scores']>, keep: LogProbabilitiesToKeep = 'all', { inferencer }: Pair) {
  return keep === 'all' ? scores.map(rounded) : trimScores(scores.map(finite), keep, inferencer.scoresChoices === true)
}

/** NaN is not JSON. */
function finite({ label, value, isGreedy }: NonNullable<RowInference['scores']>[number]): RecordedScore {
  return {
    ...(label === undefined ? {} : { label }),
    value: Number.isFinite(value) ? value : null,
    ...(isGreedy === undefined ? {} : { is_greedy: isGreedy }),
  }
}

/** Enough digits to compare, few enough to read. */
function rounded(scored: NonNullable<RowInference['scores']>[number]) {
  return {
    ...finite(scored),
    log_probabilities: scored.logProbabilities.map((one) => (one === null ? null : Number(one.toFixed(5)))),
  }
}
