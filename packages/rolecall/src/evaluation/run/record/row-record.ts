import { compactJson, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { Outcome } from './outcome.ts'
import type { RowAnswer, RowRecord } from './run-record.ts'

/** What is known about a row apart from its answer and score. */
export type KnownRow = {
  id: number
  key: string
  rowHash: string
  columns: RowRecord['columns']
  gold: PyValue | undefined
  exampleIds: readonly number[] | undefined
  cached: true | undefined
}

/** How an answer was scored, or why it was not. */
export type Verdict = {
  score?: number | undefined
  details?: Record<string, PyValue>
  error?: string
  outcome?: Outcome | readonly Outcome[] | undefined
}

/** Field by field: records of one shape are created and written several times faster than spread ones. */
export function recordOf(
  { id, key, rowHash, columns, gold, exampleIds, cached }: KnownRow,
  answer: RowAnswer,
  verdict: Verdict,
): RowRecord {
  const { score, details, error, outcome } = verdict
  return {
    id,
    key,
    row_hash: rowHash,
    columns,
    gold,
    score,
    outcome,
    details,
    prompt_hash: answer.prompt_hash,
    prompts: answer.prompts,
    prediction: answer.prediction,
    reasoning: answer.reasoning,
    calls: answer.calls,
    calls_by: answer.calls_by,
    scores: answer.scores,
    finish: answer.finish,
    cut_before: answer.cut_before,
    tokens: answer.tokens,
    examples: answer.examples,
    example_ids: exampleIds,
    milliseconds: answer.milliseconds,
    notes: answer.notes,
    cached,
    error,
  }
}

/** The answer of a row without a reply. */
export function noAnswer(milliseconds: number): RowAnswer {
  return {
    prompt_hash: '',
    prediction: null,
    tokens: { prompt: 0, reused: 0, reply: 0 },
    examples: { used: 0, dropped: 0 },
    milliseconds: Math.round(milliseconds),
  }
}

/** Whether a row has no answer at all; one that could not be scored has an answer. */
export function isFailure({ error, prediction }: RowRecord): boolean {
  return error !== undefined && prediction === null
}

/** The group of a row that is not independent of others, by the column of `cluster`; undefined if it has none. */
export function clusterOf({ columns }: Pick<RowRecord, 'columns'>, column: string): unknown {
  const value = columns?.[column]
  return value === undefined || value === null ? undefined : typeof value === 'object' ? pyStr(value) : value
}

/** Whether a rebuilt record of the same answer is equal. */
export function isSameRow(one: RowRecord, other: RowRecord): boolean {
  return (
    one.id === other.id &&
    one.key === other.key &&
    one.row_hash === other.row_hash &&
    Object.is(one.score, other.score) &&
    one.error === other.error &&
    one.cached === other.cached &&
    String(one.outcome) === String(other.outcome) &&
    isSameValue(one.prediction, other.prediction) &&
    isSameValue(one.reasoning, other.reasoning) &&
    isSameValue(one.calls, other.calls) &&
    isSameValue(one.gold, other.gold) &&
    isSameValue(one.columns as PyValue, other.columns as PyValue) &&
    isSameValue(one.example_ids as PyValue, other.example_ids as PyValue) &&
    isSameValue(one.details, other.details)
  )
}

function isSameValue(one: PyValue | undefined, other: PyValue | undefined): boolean {
  return one === other || compactJson(one) === compactJson(other)
}
