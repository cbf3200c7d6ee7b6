/**
 * The outcome of an answer. `not-found`: no answer could be read in the reply; `cut`: the same, and the reply ended at
 * the token limit or inside its reasoning; `refused`: the same, and the model declines to answer; `empty`: the reply is
 * empty; `tool-call`: the reply is a tool call where none is scored; `no-gold`: the row has no gold answer, so nothing is scored; `not-decided`:
 * a judge could not decide; `failed`: there is no reply, or it could not be scored. Otherwise `answered`, right or wrong.
 */
export type Outcome = 'answered' | 'not-found' | 'cut' | 'refused' | 'empty' | 'tool-call' | 'no-gold' | 'not-decided' | 'failed'

/** The number of answers per outcome. */
export type OutcomeCounts = {
  answered: number
  notFound: number
  /** Only replies without a readable answer; `cut` of the result counts all replies that ended at the token limit. */
  cut: number
  refused: number
  empty: number
  /** Absent if there are none. */
  toolCall?: number
  /** Rows without a gold answer, which are not scored; absent if there are none. */
  noGold?: number
  notDecided: number
  failed: number
}

const countOf = {
  answered: 'answered',
  'not-found': 'notFound',
  cut: 'cut',
  refused: 'refused',
  empty: 'empty',
  'tool-call': 'toolCall',
  'no-gold': 'noGold',
  'not-decided': 'notDecided',
  failed: 'failed',
} as const satisfies Record<Outcome, keyof OutcomeCounts>

export function noOutcomes(): OutcomeCounts {
  return { answered: 0, notFound: 0, cut: 0, refused: 0, empty: 0, notDecided: 0, failed: 0 }
}

/** The part of a record that decides the outcomes; records of other programs may hold anything. */
type Answered = { outcome?: unknown; error?: unknown; prediction?: unknown }

/** The outcome of each answer of a row. Every answer has exactly one: tables, filters and links count these. */
export function outcomesOf({ outcome, error, prediction }: Answered): readonly Outcome[] {
  if (outcome !== undefined && outcome !== null) return (Array.isArray(outcome) ? outcome : [outcome]).filter(isOutcome)
  if (error !== undefined) return ['failed']
  return Array.isArray(prediction) ? prediction.map(() => 'answered' as const) : ['answered']
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'string' && value in countOf
}

/** Counts some outcomes, one for each answer. */
export function countOutcomes(counts: OutcomeCounts, outcomes: Iterable<Outcome>): void {
  for (const one of outcomes) counts[countOf[one]] = (counts[countOf[one]] ?? 0) + 1
}

/** The outcomes in the order of their bits in the index. */
export const indexedOutcomes = [
  'not-found',
  'cut',
  'refused',
  'empty',
  'not-decided',
  'failed',
  'tool-call',
  'no-gold',
  'answered',
] as const satisfies readonly Outcome[]

/** A bit for each outcome of a row's answers. */
export function outcomeBits(record: Answered): number {
  return outcomesOf(record).reduce((bits, one) => bits | (1 << indexedOutcomes.indexOf(one)), 0)
}

/** The key of an outcome in counts. */
export function countKey(outcome: Outcome): keyof OutcomeCounts {
  return countOf[outcome]
}

/** The names of these counts, in display order. */
export const outcomeNames: Readonly<Record<keyof OutcomeCounts, string>> = {
  answered: 'answered',
  notFound: 'not found',
  cut: 'cut',
  refused: 'refused',
  empty: 'empty',
  toolCall: 'tool call',
  noGold: 'no gold',
  notDecided: 'not decided',
  failed: 'failed',
}

/** `12 not found · 3 cut`: the outcomes that prevent scoring; empty if every answer was read. */
export function outcomesText(counts: OutcomeCounts): string {
  const names = Object.entries(outcomeNames) as [keyof OutcomeCounts, string][]
  return names.flatMap(([key, name]) => (key !== 'answered' && (counts[key] ?? 0) > 0 ? [`${counts[key]} ${name}`] : [])).join(' · ')
}
