import { causeText, type Readiness, type ReadyWord } from '../evaluation/run/readiness.ts'
import { type PairName, pairText } from '../evaluation/run/record/pair-name.ts'
import { groupBy } from '../evaluation/score/evaluate/replicas.ts'
import type { ScreenBlock, Tone } from './screen/blocks.ts'

/** Whether a run could start, and why not, as it is printed. */
export type ShownReadiness = { word: ReadyWord; cause?: string }

export function shownReadiness(found: Pick<Readiness, 'word' | 'cause'>): ShownReadiness {
  const cause = causeText(found)
  return { word: found.word, ...(cause === undefined ? {} : { cause }) }
}

const tones: Readonly<Record<ReadyWord, Tone>> = { ready: 'good', 'not checked': 'attention', 'cannot run': 'bad' }

/** One line for all pairs with the same word and cause; nothing if all are ready. */
export function readinessBlocks(pairs: readonly (PairName & ShownReadiness)[]): ScreenBlock[] {
  if (pairs.every(({ word }) => word === 'ready')) return []
  const alike = groupBy(pairs, ({ word, cause }) => JSON.stringify([word, cause]))
  const blocks = [...alike.values()].map((group): ScreenBlock => {
    const { word, cause } = group[0]!
    const names = pairsText(group.map(pairText))
    return { kind: 'label', label: `${word}:`, tone: tones[word], texts: [cause === undefined ? names : `${names}: ${cause}`], gap: 1 }
  })
  return [{ kind: 'group', blocks }]
}

/** The first of many pairs. */
export function pairsText(pairs: readonly string[]): string {
  return pairs.length > 3 ? `${pairs.slice(0, 2).join(', ')} and ${pairs.length - 2} more` : pairs.join(', ')
}
