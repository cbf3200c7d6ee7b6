import {
  adjustForNumber,
  compareRows,
  type ExcludedRows,
  exclusionOf,
  pairRows,
  withoutExcluded,
} from '../../evaluation/run/record/compare-rows.ts'
import type { PairName } from '../../evaluation/run/record/pair-name.ts'
import type { RowDifference } from '../../evaluation/run/record/row-differences.ts'
import type { PairResult } from '../../evaluation/run/record/run-record.ts'
import { matchPairs, unmatchedPairs } from '../../node/runs/compare-run-folders.ts'
import type { Records } from '../../node/runs/records/records.ts'
import type { ComparedSides, PairDiff } from './viewer-data.ts'

/** One side of a comparison: the pairs of a run, or of one model in it. */
export type ComparedSide = {
  pairs: readonly (PairName & { number: number })[]
  /** Undefined if a pair has no rows yet. */
  records: (pair: number) => Records | undefined
  result: (pair: number) => PairResult | undefined
  /** The rows of a dataset that reviewers excluded. */
  excluded?: (dataset: string) => ExcludedRows
}

/** The aspects in which rows can differ, in the order of their bits. */
const differences = ['prompt', 'answer', 'gold', 'reading', 'score'] as const satisfies readonly RowDifference[]

/** Compares two sides pair by pair, matching rows by content. Sides with one model each are compared even if the models differ. */
export function compareSides(first: ComparedSide, second: ComparedSide): ComparedSides {
  const pairs = matchPairs(first.pairs, second.pairs).flatMap(([one, other]): PairDiff[] => {
    const [left, right] = [first.records(one.number), second.records(other.number)]
    if (!left || !right) return []
    const results = [first.result(one.number), second.result(other.number)] as const
    const paired = pairRows(left.rows(), right.rows(), results)
    // Excluded rows are shown, but count nowhere.
    const excluded = [first.excluded?.(one.dataset) ?? new Map(), second.excluded?.(other.dataset) ?? new Map()] as const
    const counted = withoutExcluded(paired, excluded)
    const { better, worse, otherwise, ...comparison } = compareRows({
      dataset: one.dataset,
      models: [one, other],
      results,
      paired: counted,
    })
    const [leftPlaces, rightPlaces] = [placesOf(left), placesOf(right)]
    return [
      {
        first: one.number,
        second: other.number,
        comparison,
        rows: {
          ids: paired.pairs.map((pair) => pair.first.id),
          places: [
            paired.pairs.map((pair) => leftPlaces.get(pair.first.id)!),
            paired.pairs.map((pair) => rightPlaces.get(pair.second.id)!),
          ],
          changes: changesOf(
            paired.pairs.map((pair) => pair.first.id),
            better,
            worse,
            otherwise,
            paired.pairs.filter(exclusionOf(paired.pairs, excluded)).map((pair) => pair.first.id),
          ),
          differs: paired.pairs.map((pair) => pair.differs.reduce((bits, one) => bits | (1 << differences.indexOf(one)), 0)),
        },
      },
    ]
  })
  const adjusted = adjustForNumber(pairs.map(({ comparison }) => comparison))
  const rest = unmatchedPairs(first.pairs, second.pairs)
  return {
    pairs: pairs.map((pair, place) => ({ ...pair, comparison: adjusted[place]! })),
    onlyInFirst: rest.first,
    onlyInSecond: rest.second,
  }
}

/** A letter per row: `x` for those that were excluded. */
function changesOf(
  ids: readonly number[],
  better: readonly number[],
  worse: readonly number[],
  otherwise: readonly number[],
  excluded: readonly number[],
): string {
  const letters = new Map<number, string>()
  for (const id of otherwise) letters.set(id, 'o')
  for (const id of better) letters.set(id, 'b')
  for (const id of worse) letters.set(id, 'w')
  for (const id of excluded) letters.set(id, 'x')
  return ids.map((id) => letters.get(id) ?? '=').join('')
}

function placesOf(records: Records): Map<number, number> {
  return new Map(Array.from({ length: records.count }, (_, place) => [records.outline(place).id, place]))
}
