import { dictEntries, dictGet, isDict, type PyDict } from '../../../packages/core/src/base/python/index.ts'
import type { ScoringRules } from '../scoring/rules.ts'
import { near } from '../scoring/vector.ts'

/** Where our postprocessors differ from the reference's. */
export const postprocessRules: ScoringRules = {
  'arena-resampling': {
    applies: ({ op }) => op === 'arenahard_postprocess',
    promises: (value, { args }) => {
      const { score, details } = value as { score: number; details: Record<string, unknown> }
      const rows = dictEntries(args.output as PyDict)
      return near(score, promisedArenaScore(rows.map(([, row]) => row as PyDict)), 4e-4) && Object.keys(details).length === rows.length
    },
  },
}

/** The weight of a verdict: a clear victory counts three times, a tie half for each side. */
const weights: Readonly<Record<string, { first: number; second: number }>> = {
  'A>>B': { first: 3, second: 0 },
  'A>B': { first: 1, second: 0 },
  'A=B': { first: 0.5, second: 0.5 },
  'B>A': { first: 0, second: 1 },
  'B>>A': { first: 0, second: 3 },
}

/** The win rate that Bradley and Terry's model gives for two players: the share of the weights of the model that is not the base. */
function promisedArenaScore(rows: readonly PyDict[]): number {
  let [won, all] = [0, 0]
  for (const row of rows) {
    const verdict = /\[\[([AB>=]+)\]\]/.exec(String(dictGet(row, 'prediction')))?.[1] ?? ''
    const gold = dictGet(row, 'gold')
    const found = weights[verdict]
    if (!found || gold === undefined || !isDict(gold)) continue
    const isFirst = dictGet(gold, 'answer1') !== 'gpt4-0314'
    won += isFirst ? found.first : found.second
    all += found.first + found.second
  }
  return Number(((100 * won) / all).toFixed(2))
}
