import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PairSelection } from '../../../evaluation/run/choose-pairs.ts'
import type { ScoredPair } from '../../../evaluation/run/record/compare-models.ts'
import { isSamePair, type PairName } from '../../../evaluation/run/record/pair-name.ts'
import { openRecords } from './records/records.ts'
import { layOut, type PairFiles, type RunInfo, readResult } from './run-layout.ts'

/** What a run is made of when some of its pairs, or others, are chosen to go on with: nothing is taken out of it. */
export function widened({ models, datasets, formats }: PairSelection, now: PairSelection) {
  // Where no models were named, all of them were meant; where no formats were, the models' own, which no list can have.
  const all = (before: string | undefined, given: string | undefined) => (before === undefined ? undefined : union(before, given))
  return {
    models: all(models, now.models),
    datasets: all(datasets, now.datasets),
    formats: formats === undefined ? now.formats : union(formats, now.formats),
  }
}

function union(before: string, given = ''): string {
  const names = `${before},${given}`.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))].join(',')
}

/** The files of the pairs that are asked now, and of those that a run has besides. */
export function pairsOfRun(
  folder: string,
  { pairs: known }: Pick<RunInfo, 'pairs'>,
  now: readonly PairName[],
  { models, datasets, formats }: PairSelection,
): PairFiles[] {
  // Without such flags, a pair that is not asked is no longer in the config: only what it left on disk counts.
  const isNarrowed = [models, datasets, formats].some((chosen) => chosen !== undefined)
  const others = besides(known, now).filter(({ results }) => isNarrowed || existsSync(join(folder, results)))
  if (others.length === 0) return layOut(now, known)
  const kept = known.filter((pair) => others.includes(pair) || now.some((other) => isSamePair(pair, other)))
  return layOut([...kept, ...besides(now, kept)], known)
}

/** The pairs that have figures from before and are not among those that are asked now. */
export function scoredBefore(folder: string, known: readonly PairFiles[], now: readonly PairName[]): ScoredPair[] {
  return besides(known, now).flatMap((pair) => {
    const result = readResult(folder, pair)
    const records = join(folder, pair.predictions)
    if (!result || !existsSync(records)) return []
    // A figure that is no mean of the rows needs more of them than their scores.
    return [{ result, scores: scoresIn(records), ...(result.isMeanOfRows === false ? { compared: 'nothing' as const } : {}) }]
  })
}

function scoresIn(file: string): number[] {
  const records = openRecords(file)
  const scores: number[] = []
  for (let place = 0; place < records.count; place++) {
    const { id, score = Number.NaN } = records.outline(place)
    while (scores.length < id) scores.push(Number.NaN)
    scores[id] = score
  }
  records.close()
  return scores
}

function besides<Pair extends PairName>(pairs: readonly Pair[], others: readonly PairName[]): Pair[] {
  return pairs.filter((pair) => !others.some((other) => isSamePair(pair, other)))
}
