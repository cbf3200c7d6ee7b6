import { causeText, type Readiness, type ReadyWord } from '../evaluation/run/readiness.ts'
import { type PairName, pairText } from '../evaluation/run/record/pair-name.ts'
import { groupBy } from '../evaluation/score/evaluate/replicas.ts'
import { colors, type Paint, printable } from './terminal.ts'

/** Whether a run could start, and why not, as it is printed. */
export type ShownReadiness = { word: ReadyWord; cause?: string }

export function shownReadiness(found: Pick<Readiness, 'word' | 'cause'>): ShownReadiness {
  const cause = causeText(found)
  return { word: found.word, ...(cause === undefined ? {} : { cause }) }
}

const paints: Readonly<Record<ReadyWord, Paint>> = { ready: colors.green, 'not checked': colors.yellow, 'cannot run': colors.red }

/** One line for all pairs with the same word and cause. */
export function readinessLines(pairs: readonly (PairName & ShownReadiness)[]): string[] {
  const alike = groupBy(pairs, ({ word, cause }) => JSON.stringify([word, cause]))
  return [...alike.values()].map((group) => {
    const { word, cause } = group[0]!
    const names = pairsText(group.map(pairText))
    return `${paints[word](word)}: ${printable(cause === undefined ? names : `${names}: ${cause}`)}`
  })
}

/** The first of many pairs. */
export function pairsText(pairs: readonly string[]): string {
  return pairs.length > 3 ? `${pairs.slice(0, 2).join(', ')} and ${pairs.length - 2} more` : pairs.join(', ')
}
