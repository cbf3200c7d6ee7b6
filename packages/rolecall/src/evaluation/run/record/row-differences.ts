import { compactJson, dictGet, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { outcomeBits } from './outcome.ts'
import { clusterOf } from './row-record.ts'
import type { RowRecord } from './run-record.ts'

/** The part of a row needed to compare it; runs have too many rows to keep everything. */
export type RowMark = {
  id: number
  score?: number
  promptHash: string
  prediction: string
  /** The compared answer, after its postprocessors; undefined if the evaluator does not record it. */
  reading?: string
  gold?: string
  /** The outcome of the answer: a bit for each. */
  outcomes: number
  failed: boolean
  /** The group of rows it belongs to, if rows are not independent. */
  cluster?: unknown
}

/** How the same row may differ between two runs, in causal order. */
export type RowDifference = 'prompt' | 'answer' | 'gold' | 'reading' | 'score'

/** `cluster`: the column that groups rows which are not independent. */
export function markOf(record: RowRecord, cluster?: string): RowMark {
  const { id, score, prompt_hash, prediction, gold, error } = record
  const reading = readingOf(record)
  return {
    id,
    score,
    promptHash: prompt_hash,
    prediction: textOf(prediction),
    ...(reading === undefined ? {} : { reading: textOf(reading) }),
    ...(gold === undefined ? {} : { gold: textOf(gold) }),
    outcomes: outcomeBits(record),
    failed: error !== undefined,
    ...(cluster === undefined ? {} : { cluster: clusterOf(record, cluster) }),
  }
}

/** The compared answer, or each of several. */
export function readingOf({ details }: Pick<RowRecord, 'details'>): PyValue | undefined {
  if (details?.pred !== undefined) return details.pred
  if (!isList(details?.samples)) return undefined
  const samples = details.samples.map((sample) => dictGet(sample as never, 'pred') ?? null)
  return samples.some((one) => one !== null) ? samples : undefined
}

/** The differences; what one of the runs did not record is not a difference. */
export function differencesOf(first: RowMark, second: RowMark): RowDifference[] {
  const differs = (one: string | undefined, other: string | undefined) => one !== undefined && other !== undefined && one !== other
  return [
    ...(first.promptHash !== '' && second.promptHash !== '' && first.promptHash !== second.promptHash ? (['prompt'] as const) : []),
    ...(first.prediction !== second.prediction ? (['answer'] as const) : []),
    ...(differs(first.gold, second.gold) ? (['gold'] as const) : []),
    ...(differs(first.reading, second.reading) || (first.outcomes !== second.outcomes && !first.failed && !second.failed)
      ? (['reading'] as const)
      : []),
    ...(!Object.is(first.score, second.score) ? (['score'] as const) : []),
  ]
}

/** The number of rows with each difference between two runs. */
export type Differences = {
  /** Rows with a different prompt. */
  prompts: number
  /** Rows with a different answer, and how many of these had the same prompt. */
  answers: number
  answersToSamePrompt: number
  /** Rows with the same answer that was read, compared or scored differently. */
  scoring: number
  /** The first step that differs; later differences follow from it. */
  from: 'nothing' | 'prompts' | 'answers' | 'scoring'
}

/** Counts the differences of rows; `isScoredAlike` is false if the runs have different metrics. */
export function sumDifferences(rows: readonly (readonly RowDifference[])[], isScoredAlike: boolean): Differences {
  const count = (test: (row: readonly RowDifference[]) => boolean) => rows.filter(test).length
  const prompts = count((row) => row.includes('prompt'))
  const answers = count((row) => row.includes('answer'))
  const answersToSamePrompt = count((row) => row.includes('answer') && !row.includes('prompt'))
  const scoring = count((row) => !row.includes('answer') && row.some((one) => one === 'reading' || one === 'gold' || one === 'score'))
  const isScoring = scoring > 0 || !isScoredAlike
  const from = prompts > 0 ? 'prompts' : answers > 0 ? 'answers' : isScoring ? 'scoring' : 'nothing'
  return { prompts, answers, answersToSamePrompt, scoring, from }
}

/** The differences between two runs as a sentence. */
export function differencesText({ prompts, answers, answersToSamePrompt, scoring, from }: Differences, rows: number): string {
  const of = (count: number) => `${count} of ${rows} rows`
  const scored = scoring > 0 ? `; ${of(scoring)} have the same answer and were scored in another way` : ''
  switch (from) {
    case 'nothing':
      return 'nothing differs: prompts, answers and scores are the same'
    case 'scoring':
      return `only the scoring differs (${of(scoring)}): prompts and answers are the same`
    case 'answers':
      return `answers differ (${of(answers)}): prompts are the same${scored}`
    case 'prompts':
      return `prompts differ (${of(prompts)}), and answers in ${of(answers)}${answersToSamePrompt > 0 ? `, in ${answersToSamePrompt} of them to the same prompt` : ''}${scored}`
    default:
      return from satisfies never
  }
}

function textOf(value: PyValue): string {
  if (typeof value === 'string') return value
  return isList(value) ? compactJson(value) : pyStr(value)
}
