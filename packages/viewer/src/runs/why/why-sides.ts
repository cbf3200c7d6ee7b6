import { distinctModels, isSameModel, isSamePair, type PairName, pairText } from 'rolecall/internal/evaluation/run/record/pair-name'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import type { Side } from '../compare/sides.ts'

/** A model on a dataset of one side, by its number in the run. */
export type SidePair = PairName & { number: number }

/** The pairs of a side: of a run, or of one of its models. */
export function pairsOf(site: Site, { run, path }: Side): SidePair[] {
  const pairs = site.runs[run]!.pairs.map((pair, number) => ({ ...pair, number }))
  const [, model] = path.split('.')
  if (model === undefined) return pairs
  const wanted = distinctModels(pairs)[Number(model)]!
  return pairs.filter((pair) => isSameModel(pair, wanted))
}

/** The pairs to explain: those of the link, else the first two with the same model and dataset, with the same dataset, or at all. */
export function chosenPairs(
  [first, second]: readonly [readonly SidePair[], readonly SidePair[]],
  [one, other]: readonly [string | undefined, string | undefined],
): [SidePair, SidePair] | undefined {
  const named = (pairs: readonly SidePair[], name: string | undefined) => pairs.filter((pair) => pairText(pair) === name)
  const [left, right] = [named(first, one), named(second, other)]
  const candidates = [left.length > 0 ? left : first, right.length > 0 ? right : second] as const
  for (const fits of [isSamePair, isSameDataset, () => true]) {
    for (const pair of candidates[0]) {
      const partner = candidates[1].find((another) => fits(pair, another))
      if (partner) return [pair, partner]
    }
  }
  return undefined
}

function isSameDataset(one: PairName, other: PairName): boolean {
  return one.dataset === other.dataset
}
