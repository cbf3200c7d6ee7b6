import { describe, expect, test } from 'vitest'
import { pairResult } from '../../../../../../proof/testing/pair-result.ts'
import { evaluatorOf } from '../../score/evaluate/evaluators.ts'
import { compareGroups } from './compare-groups.ts'
import { adjustmentText, compareModels, comparisonText, isSignificant, type ScoredPair } from './compare-models.ts'
import { adjustForNumber, compareRows, oneClusterText, pairRows } from './compare-rows.ts'
import { PairTally, type TallyOptions } from './pair-tally.ts'
import { remarksAbout } from './remarks.ts'
import { resultsTable } from './results-table.ts'
import { noAnswer } from './row-record.ts'
import type { RowRecord } from './run-record.ts'
import { summaryCsv } from './summary-csv.ts'

const scored = (model: string, dataset: string, scores: readonly number[], given: Partial<ScoredPair> = {}): ScoredPair => ({
  result: pairResult(model, dataset, 50),
  scores,
  ...given,
})
const numbers = (count: number) => Array.from({ length: count }, (_, row) => row)

describe('several comparisons', () => {
  // 7 rows that only the second has right: p 0.0156 for one dataset, and 5 datasets without any difference.
  const pairs = ['one', 'two', 'three', 'four', 'five', 'six'].flatMap((dataset, place) => [
    scored(
      'a',
      dataset,
      numbers(20).map(() => 0),
    ),
    scored(
      'b',
      dataset,
      numbers(20).map((row) => Number(place === 0 && row < 7)),
    ),
  ])

  test('have adjusted p values and their number', () => {
    const comparisons = compareModels(pairs)
    expect(comparisons[0]).toMatchObject({ p: expect.closeTo(1 / 64), test: 'mcnemar', adjusted: { p: expect.closeTo(6 / 64), tests: 6 } })
    expect(comparisons.filter(isSignificant)).toEqual([])
    expect(adjustmentText(comparisons)).toEqual(['1 of 6 comparisons has p < 0.05 before, 0 after adjustment for their number (Holm)'])
    expect(comparisonText(comparisons[0]!)).toMatch(/McNemar p 0\.016, adjusted 0\.094 \(6 tests\): may be chance$/)
    expect(comparisonText(comparisons[1]!)).toMatch(/the same difference in every row$/)
  })

  test('a single one is not adjusted', () => {
    const comparisons = compareModels(pairs.slice(0, 2))
    expect(comparisons[0]).toMatchObject({ adjusted: { p: expect.closeTo(1 / 64), tests: 1 } })
    expect(adjustmentText(comparisons)).toEqual([])
    expect(comparisonText(comparisons[0]!)).toMatch(/McNemar p 0\.016$/)
  })

  test('rows of one cluster count once', () => {
    const clusters = numbers(20).map((row) => (row < 7 ? 'passage' : row))
    const [compared] = compareModels(pairs.slice(0, 2).map((pair) => ({ ...pair, clusters })))
    expect(compared).toMatchObject({ test: 'clustered-t', interval: { method: 'clustered', clusters: 14 } })
    expect(compared!.p).toBeGreaterThan(0.1)
  })

  test('rows of a single cluster are not compared, and a corpus metric of a single row has no p value', () => {
    const clusters = numbers(20).map(() => 'passage')
    const one = pairs.slice(0, 2).map((pair) => ({ ...pair, clusters }))
    expect(compareModels(one)).toEqual([])
    expect(compareGroups([{ name: 'all', subsets: ['one'] }], one)).toEqual([])
    const corpus = (scores: readonly number[], given = {}) => ({
      compared: { has: (row: number) => row in scores, of: (rows: readonly number[]) => Math.max(...rows.map((row) => scores[row]!)) },
      ...given,
    })
    const metrics = (first: readonly number[], second: readonly number[], given = {}) =>
      compareModels([scored('a', 'x', first, corpus(first, given)), scored('b', 'x', second, corpus(second, given))])
    expect(metrics([0.1], [0.9])[0]!.p).toBeUndefined()
    expect(metrics([0.1, 0.2], [0.9, 0.8], { clusters })).toEqual([])
    expect(metrics([0.1, 0.2], [0.9, 0.8])).toHaveLength(1)
  })
})

describe('two runs', () => {
  const records = (scores: readonly number[], passageOf?: (row: number) => string | undefined): RowRecord[] =>
    scores.map((score, id) => ({
      ...{ ...noAnswer(0), id, key: '', row_hash: String(id), score, prediction: 'x' },
      ...(passageOf?.(id) === undefined ? {} : { columns: { passage: passageOf(id)! } }),
    }))
  const zeros = numbers(20).map(() => 0)
  const some = numbers(20).map((row) => Number(row < 7))
  const compare = (dataset: string, second: readonly number[], cluster?: string, passageOf?: (row: number) => string | undefined) => {
    const results = [pairResult('a', dataset, 0), { ...pairResult('a', dataset, 35), ...(cluster ? { cluster } : {}) }] as const
    const paired = pairRows(records(zeros), records(second, passageOf), results)
    return compareRows({ dataset, models: [{ model: 'a' }, { model: 'a' }], results, paired })
  }

  test('have p values adjusted for the number of their datasets, with the raw ones beside them', () => {
    const compared = adjustForNumber(['one', 'two', 'three', 'four'].map((dataset, place) => compare(dataset, place === 0 ? some : zeros)))
    expect(compared[0]!.comparison).toMatchObject({ p: expect.closeTo(1 / 64), adjusted: { p: expect.closeTo(4 / 64), tests: 4 } })
    expect(compared.map(({ comparison }) => isSignificant(comparison!))).toEqual([false, false, false, false])
    expect(isSignificant(adjustForNumber([compare('one', some)])[0]!.comparison!)).toBe(true)
  })

  test('what is not compared is not counted as a test', () => {
    const compared = adjustForNumber([compare('one', some), compare('none', []), compare('two', some)])
    expect(compared.map(({ comparison }) => comparison?.adjusted?.tests)).toEqual([2, undefined, 2])
  })

  test('count groups of rows if one of the runs recorded their column, as the summary of a run does', () => {
    const passageOf = (row: number) => (row < 7 ? 'passage' : undefined)
    const { comparison } = compare('one', some, 'passage', passageOf)
    const [summarised] = compareModels([scored('a', 'one', zeros), scored('b', 'one', some, { clusters: numbers(20).map(passageOf) })])
    expect(comparison).toMatchObject({ test: 'clustered-t', interval: { method: 'clustered', clusters: 14 } })
    expect(adjustForNumber([{ comparison: comparison! }])[0]!.comparison).toEqual({ ...summarised!, second: 'a' })
  })

  test('rows of a single group are not compared, and the comparison says so', () => {
    const compared = compare('one', some, 'passage', () => 'all')
    expect(compared).toMatchObject({ oneCluster: 'passage', better: numbers(7) })
    expect(compared.comparison).toBeUndefined()
    expect(oneClusterText('passage')).toMatch(/one group \(cluster: passage\)/)
  })
})

describe('groups', () => {
  const pairs = [
    scored(
      'a',
      'x',
      numbers(40).map((row) => Number(row % 3 === 0)),
    ),
    scored(
      'b',
      'x',
      numbers(40).map((row) => Number(row % 2 === 0)),
    ),
    scored(
      'a',
      'y',
      numbers(10).map((row) => Number(row % 5 === 0)),
    ),
    scored(
      'b',
      'y',
      numbers(10).map((row) => Number(row % 2 === 0)),
    ),
  ]

  test('are compared on the rows of all their datasets, weighted like their values', () => {
    const groups = [
      { name: 'all', subsets: ['x', 'y'] },
      { name: 'by rows', subsets: ['x', 'y'], weighted_by: 'rows' as const },
    ]
    const [even, byRows] = compareGroups(groups, pairs)
    // Computed with numpy and scipy: Welch and Satterthwaite's t test of the weighted means of differences.
    expect(even).toMatchObject({ dataset: 'all', rows: 50, difference: 22.5, first: 'a', second: 'b', adjusted: { tests: 2 } })
    expect(even!.p).toBeCloseTo(0.08190847309108538, 10)
    expect(even!.interval.low).toBeCloseTo(-3.2394795872210302, 8)
    expect(byRows).toMatchObject({ dataset: 'by rows', difference: 18 })
    expect(byRows!.p).toBeCloseTo(0.07322342328982004, 10)
  })

  test('a difference that is the same in every row has no p value', () => {
    const same = [
      scored(
        'a',
        'x',
        numbers(49).map(() => 0.1),
      ),
      scored(
        'b',
        'x',
        numbers(49).map(() => 0.4),
      ),
    ]
    const [compared] = compareGroups([{ name: 'all', subsets: ['x'] }], same)
    expect(compared!.p).toBeUndefined()
    expect(compared!.interval.high - compared!.interval.low).toBe(0)
  })

  test('of groups are compared as well; those with a missing dataset or another unit are not', () => {
    const inner = { name: 'inner', subsets: ['y'] }
    expect(compareGroups([{ name: 'all', subsets: ['x', 'inner'] }, inner], pairs)[0]).toMatchObject({ difference: 22.5 })
    expect(compareGroups([{ name: 'all', subsets: ['x', 'z'] }], pairs)).toEqual([])
    const other = pairs.map((pair) => (pair.result.dataset === 'y' ? { ...pair, result: { ...pair.result, unit: 'points' } } : pair))
    expect(compareGroups([{ name: 'all', subsets: ['x', 'y'] }], other)).toEqual([])
  })
})

const accuracy = evaluatorOf({ type: 'AccEvaluator' }, true, 'mine')
const squad = evaluatorOf({ type: 'SquadEvaluator' }, true, 'mine')

function tallied(rows: readonly Partial<RowRecord>[], options: TallyOptions = {}, evaluator = accuracy) {
  const tally = new PairTally({ model: 'tiny', dataset: 'text' }, evaluator, options)
  for (const [id, given] of rows.entries())
    tally.add({ ...noAnswer(0), id, key: '', row_hash: '', prediction: 'x', ...given }, { f1: given.score ?? 0, isExact: false })
  return tally.result(1, { count: 0, notes: [] })
}

describe('a metric', () => {
  test('counts groups of rows if `cluster` names them', () => {
    const rows = [1, 1, 1, 0, 0, 0, 1, 0].map((score, row) => ({ score, columns: { passage: row < 3 ? 'p' : row < 6 ? 'q' : row } }))
    const plain = tallied(rows)
    const clustered = tallied(rows, { cluster: 'passage' })
    expect(clustered).toMatchObject({ value: 50, interval: { method: 'clustered', clusters: 4 } })
    expect(clustered.interval!.high - clustered.interval!.low).toBeGreaterThan(plain.interval!.high - plain.interval!.low)
  })

  test('has the share of cut answers and the value of complete ones beside it', () => {
    const result = tallied([{ score: 1 }, { score: 1 }, { score: 0, finish: 'length' }, { score: 0, finish: 'length' }])
    expect(result).toMatchObject({ value: 50, cut: 2, complete: { rows: 2, value: 100, interval: { method: 'wilson' } } })
    expect(resultsTable([result], 120)).toMatch(/accuracy % +cut % +if complete\n.*50\.0.* 50\.0 +100\.0$/)
    expect(summaryCsv({ results: [result] })).toMatch(/no_gold,cut_share,value_if_complete\n.*,0,0\.5,100\n/)
    expect(remarksAbout(result).map(({ text }) => text)).toContain('2 of 4 answers hit the token limit; the other 2 score 100.0')
    expect(tallied([{ score: 1 }]).complete).toBeUndefined()
    expect(tallied([{ score: 0, finish: 'length' }])).toMatchObject({ complete: { rows: 0 } })
  })

  test('does not count rows without a gold answer', () => {
    const result = tallied([{ score: 1 }, { outcome: 'no-gold' }, { outcome: 'no-gold' }])
    expect(result).toMatchObject({ value: 100, rows: 3, failed: 0, answers: { answered: 1, noGold: 2 } })
    expect(remarksAbout(result)).toEqual([{ kind: 'no-gold', rows: 2, text: '2 of 3 rows have no gold answer and no score' }])
    expect(tallied([{ score: 0.5 }, { outcome: 'no-gold' }], {}, squad)).toMatchObject({ value: 50 })
  })

  test('findings about a dataset keep their own counts in a run of some of its rows', () => {
    const finding = { code: 'duplicate-rows', text: '199 of 400 rows repeat an earlier one', rows: 199, ofDataset: true as const }
    const ofRun = { code: 'look-alike', text: 'a marker', rows: 2 }
    const result = pairResult('m', 'd', 50, { notes: [finding, ofRun] })
    expect(remarksAbout(result).map(({ text }) => text)).toEqual(['199 of 400 rows repeat an earlier one', 'a marker (2 of 10 rows)'])
  })

  test('is flagged if its interval has no width, or if all answers to each row are the same', () => {
    const codes = (given: ReturnType<typeof tallied>) => given.notes.map(({ code }) => code)
    expect(codes(tallied([{ score: 0.5 }, { score: 0.5 }], {}, squad))).toEqual(['zero-width-interval'])
    expect(codes(tallied([{ score: 0.5 }, { score: 0.4 }], {}, squad))).toEqual([])
    const samples = (second: string) => [
      { score: 1, prediction: ['a', 'a'] },
      { score: 0, prediction: ['b', second] },
    ]
    expect(codes(tallied(samples('b'), { samples: 2 }))).toEqual(['identical-samples'])
    expect(codes(tallied(samples('c'), { samples: 2 }))).toEqual([])
  })
})
