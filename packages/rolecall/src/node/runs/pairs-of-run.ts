import type { PairSelection } from '../../evaluation/run/choose-pairs.ts'
import type { ScoredPair } from '../../evaluation/run/record/compare-models.ts'
import { isSamePair, type PairName } from '../../evaluation/run/record/pair-name.ts'
import { clusterOf } from '../../evaluation/run/record/row-record.ts'
import { fileInRun, isInRun } from './file-in-run.ts'
import { openRecords } from './records/records.ts'
import { layOut, type PairFiles, type RunInfo, readResult } from './run-layout.ts'

/** The selection of a run resumed with other flags: the union, so that nothing is dropped from it. */
export function widened({ models, datasets, formats }: PairSelection, now: PairSelection) {
  // No models means all; no formats means the models' own, which a list cannot express.
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

/** The files of the pairs that run now and of the run's other pairs. */
export function pairsOfRun(
  folder: string,
  { pairs: known, options: { layout } }: Pick<RunInfo, 'pairs' | 'options'>,
  now: readonly PairName[],
  { models, datasets, formats }: PairSelection,
): PairFiles[] {
  // Without such flags, a pair that does not run has left the config and is kept only if it has results.
  const isNarrowed = [models, datasets, formats].some((chosen) => chosen !== undefined)
  const others = except(known, now).filter(({ results }) => isNarrowed || isInRun(folder, results))
  if (others.length === 0) return layOut(now, known, layout)
  const kept = known.filter((pair) => others.includes(pair) || now.some((other) => isSamePair(pair, other)))
  return layOut([...kept, ...except(now, kept)], known, layout)
}

/** Pairs with earlier results that do not run now. */
export function scoredBefore(folder: string, known: readonly PairFiles[], now: readonly PairName[]): ScoredPair[] {
  return except(known, now).flatMap((pair) => {
    const result = readResult(folder, pair)
    if (!result || !isInRun(folder, pair.predictions)) return []
    // A metric that is not a mean over rows cannot be compared by row scores.
    const records = fileInRun(folder, pair.predictions)
    return [{ result, ...scoresIn(records, result.cluster), ...(result.isMeanOfRows === false ? { compared: 'nothing' as const } : {}) }]
  })
}

function scoresIn(file: string, cluster: string | undefined): Pick<ScoredPair, 'scores' | 'clusters'> {
  const records = openRecords(file)
  const scores: number[] = []
  const clusters: unknown[] = []
  for (let place = 0; place < records.count; place++) {
    const { id, score = Number.NaN } = records.outline(place)
    while (scores.length < id) scores.push(Number.NaN)
    scores[id] = score
    if (cluster !== undefined) clusters[id] = clusterOf(records.read(place, place + 1)[0]!, cluster)
  }
  records.close()
  return cluster === undefined ? { scores } : { scores, clusters }
}

function except<Pair extends PairName>(pairs: readonly Pair[], others: readonly PairName[]): Pair[] {
  return pairs.filter((pair) => !others.some((other) => isSamePair(pair, other)))
}
