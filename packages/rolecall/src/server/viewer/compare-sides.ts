import { adjustForNumber, compareRows, pairRows } from '../../evaluation/run/record/compare-rows.ts'
import { distinctModels, isSameModel, type PairName, pairText } from '../../evaluation/run/record/pair-name.ts'
import type { RowDifference } from '../../evaluation/run/record/row-differences.ts'
import type { PairResult, RowRecord } from '../../evaluation/run/record/run-record.ts'
import type { Records } from '../../node/runs/records/records.ts'
import type { ComparedSides, PairDiff } from './viewer-data.ts'

/** One side of a comparison: the pairs of a run, or of one model in it. */
export type ComparedSide = {
  pairs: readonly (PairName & { number: number })[]
  /** Undefined if a pair has no rows yet. */
  records: (pair: number) => Records | undefined
  result: (pair: number) => PairResult | undefined
}

/** The aspects in which rows can differ, in the order of their bits. */
const differences = ['prompt', 'answer', 'gold', 'reading', 'score'] as const satisfies readonly RowDifference[]

/** Compares two sides pair by pair, matching rows by content. Sides with one model each are compared even if the models differ. */
export function compareSides(first: ComparedSide, second: ComparedSide): ComparedSides {
  const areSingle = [first, second].every(({ pairs }) => distinctModels(pairs).length === 1)
  const matched = first.pairs.flatMap((one) => {
    const other = second.pairs.find((pair) => pair.dataset === one.dataset && (areSingle || isSameModel(pair, one)))
    return other ? [[one, other] as const] : []
  })
  const pairs = matched.flatMap(([one, other]): PairDiff[] => {
    const [left, right] = [first.records(one.number), second.records(other.number)]
    if (!left || !right) return []
    const results = [first.result(one.number), second.result(other.number)] as const
    const paired = pairRows(each(left), each(right), results)
    const { better, worse, otherwise, ...comparison } = compareRows({ dataset: one.dataset, models: [one, other], results, paired })
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
          ),
          differs: paired.pairs.map((pair) => pair.differs.reduce((bits, one) => bits | (1 << differences.indexOf(one)), 0)),
        },
      },
    ]
  })
  const adjusted = adjustForNumber(pairs.map(({ comparison }) => comparison))
  const rest = (side: ComparedSide, taken: readonly { number: number }[]) =>
    side.pairs.filter(({ number }) => !taken.some((one) => one.number === number)).map(pairText)
  return {
    pairs: pairs.map((pair, place) => ({ ...pair, comparison: adjusted[place]! })),
    onlyInFirst: rest(
      first,
      matched.map(([one]) => one),
    ),
    onlyInSecond: rest(
      second,
      matched.map(([, other]) => other),
    ),
  }
}

function changesOf(ids: readonly number[], better: readonly number[], worse: readonly number[], otherwise: readonly number[]): string {
  const letters = new Map<number, string>()
  for (const id of otherwise) letters.set(id, 'o')
  for (const id of better) letters.set(id, 'b')
  for (const id of worse) letters.set(id, 'w')
  return ids.map((id) => letters.get(id) ?? '=').join('')
}

function placesOf(records: Records): Map<number, number> {
  return new Map(Array.from({ length: records.count }, (_, place) => [records.outline(place).id, place]))
}

function* each(records: Records): Generator<RowRecord> {
  for (let place = 0; place < records.count; place++) yield records.read(place, place + 1)[0]!
}
