import { compactJson, dictGet, isList, type PyValue, pyStr } from '../../../base/python/index.ts'
import { outcomeBits } from './outcome.ts'
import type { RowRecord } from './run-record.ts'

/** What of a row is needed to compare it; runs have too many rows to keep all of each. */
export type RowMark = {
  id: number
  score?: number
  promptHash: string
  prediction: string
  /** What was compared of the answer, after its postprocessors; undefined where the evaluator does not say. */
  reading?: string
  gold?: string
  /** What became of the answer: a bit for each outcome. */
  outcomes: number
  failed: boolean
}

/** In what the same row of two runs may differ, in the order in which one follows from the other. */
export type RowDifference = 'prompt' | 'answer' | 'gold' | 'reading' | 'score'

export function markOf(record: RowRecord): RowMark {
  const { id, score, prompt_hash, prediction, gold, outcome, error } = record
  const reading = readingOf(record)
  return {
    id,
    score,
    promptHash: prompt_hash,
    prediction: textOf(prediction),
    ...(reading === undefined ? {} : { reading: textOf(reading) }),
    ...(gold === undefined ? {} : { gold: textOf(gold) }),
    outcomes: outcomeBits(outcome),
    failed: error !== undefined,
  }
}

/** What was compared of an answer, or of each of several. */
export function readingOf({ details }: Pick<RowRecord, 'details'>): PyValue | undefined {
  if (details?.pred !== undefined) return details.pred
  if (!isList(details?.samples)) return undefined
  const samples = details.samples.map((sample) => dictGet(sample as never, 'pred') ?? null)
  return samples.some((one) => one !== null) ? samples : undefined
}

/** What differs; what one of the runs does not say is no difference. */
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

/** What a comparison of runs rests on: in how many rows what differs. */
export type Differences = {
  /** Rows that were sent another prompt. */
  prompts: number
  /** Rows with another answer, and how many of these were sent the same prompt. */
  answers: number
  answersToSamePrompt: number
  /** Rows whose answer is the same, and was read, compared or scored in another way. */
  scoring: number
  /** The first step that differs: what follows from it differs because of it. */
  from: 'nothing' | 'prompts' | 'answers' | 'scoring'
}

/** Adds up what differs in rows; `isScoredAlike` is false where the runs have other metrics. */
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

/** What differs between two runs, in a sentence. */
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
