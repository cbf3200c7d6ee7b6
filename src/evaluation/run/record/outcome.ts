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

/** Counts the outcome of a row's answer, or of each of its answers. */
export function countOutcome(counts: OutcomeCounts, outcome: Outcome | readonly Outcome[]): void {
  for (const one of typeof outcome === 'string' ? [outcome] : outcome) counts[countOf[one]] = (counts[countOf[one]] ?? 0) + 1
}

/** The outcomes that rows can be filtered by, in the order of their bits. */
export const unreadOutcomes = [
  'not-found',
  'cut',
  'refused',
  'empty',
  'not-decided',
  'failed',
  'tool-call',
  'no-gold',
] as const satisfies readonly Outcome[]

/** A bit for each outcome other than `answered`, of a row's answer or of any of its answers; unknown values are ignored. */
export function outcomeBits(outcome: unknown): number {
  if (outcome === undefined) return 0
  if (Array.isArray(outcome)) return outcome.reduce<number>((bits, one) => bits | outcomeBits(one), 0)
  const place = (unreadOutcomes as readonly unknown[]).indexOf(outcome)
  return place < 0 ? 0 : 1 << place
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
