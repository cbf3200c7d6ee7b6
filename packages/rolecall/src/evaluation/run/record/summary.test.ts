import { expect, test } from 'vitest'
import { pairResult } from '../../../../../../proof/testing/pair-result.ts'
import { type SummaryGroup, summaryGroupSchema } from '../../config/summary-group-schema.ts'
import { compareModels, comparisonText, formatSpread, type ScoredPair } from './compare-models.ts'
import { resultsTable } from './results-table.ts'
import { summaryCsv } from './summary-csv.ts'
import { groupResults } from './summary-groups.ts'
import { summaryMarkdown } from './summary-markdown.ts'

const result = (model: string, dataset: string, value: number) =>
  pairResult(model, dataset, value, { interval: { low: value - 10, high: value + 10, method: 'wilson' } })

test('models on the same rows are compared row by row, excluding rows without a score', () => {
  const [compared] = compareModels([
    { result: result('a', 'sums', 10), scores: [1, 0, 0, 0, 0, 0, 0, 0, Number.NaN] },
    { result: result('b', 'sums', 90), scores: [1, 1, 1, 1, 1, 1, 1, 1, 0] },
  ])
  expect(compared).toMatchObject({ rows: 8, difference: 87.5, mcnemar: { onlyFirst: 0, onlySecond: 7 } })
  expect(comparisonText(compared!)).toMatch(/^b against a on sums: \+87\.5 \[.*McNemar p 0\.016$/)
})

test('a difference that is not significant is labelled so', () => {
  const [compared] = compareModels([
    { result: result('a', 'sums', 50), scores: [1, 0] },
    { result: result('b', 'sums', 100), scores: [1, 1] },
  ])
  expect(comparisonText(compared!)).toMatch(/too few rows to tell \(\d\)$/)
  expect(comparisonText({ ...compared!, rows: 6 })).toMatch(/may be chance$/)
})

test('groups are means, weighted if weights are given, with an interval narrower than that of one dataset', () => {
  const results = [result('a', 'x', 40), result('a', 'y', 80)]
  const grouped = (...groups: SummaryGroup[]) => groupResults(groups, results)
  const plain = grouped({ name: 'all', subsets: ['x', 'y'] }).groups[0]
  expect(plain).toMatchObject({ model: 'a', group: 'all', value: 60 })
  expect(plain!.interval!.high - 60).toBeCloseTo(10 / Math.SQRT2)
  expect(grouped({ name: 'all', subsets: ['x', 'y'], weights: { x: 3, y: 1 } }).groups[0]!.value).toBe(50)
  expect(grouped({ name: 'none', subsets: ['z'] })).toEqual({ groups: [], notes: [] })
})

test('groups may contain groups, in any order', () => {
  const results = [result('a', 'x', 40), result('a', 'y', 80), result('a', 'z', 90)]
  const both = { name: 'both', subsets: ['x', 'y'] }
  const all = { name: 'all', subsets: ['both', 'z'], weights: { both: 2, z: 1 } }
  for (const groups of [
    [both, all],
    [all, both],
  ]) {
    const { groups: found, notes } = groupResults(groups, results)
    expect(notes).toEqual([])
    expect(found.find(({ group }) => group === 'all')!.value).toBeCloseTo(70)
  }
  expect(groupResults([{ name: 'self', subsets: ['self', 'x'] }], results).notes).toEqual([
    'group self has no metric for a: there is none of self',
  ])
})

test('a group without a value has a note with the reason', () => {
  const results = [result('a', 'x', 40), { ...result('a', 'y', 3), unit: 'mean' as const }]
  expect(groupResults([{ name: 'all', subsets: ['x', 'z'] }], results)).toEqual({
    groups: [],
    notes: ['group all has no metric for a: there is none of z'],
  })
  expect(groupResults([{ name: 'mixed', subsets: ['x', 'y'] }], results).notes).toEqual([
    'group mixed has no metric: percentages and other means cannot be averaged',
  ])
})

test('weights must match the subsets', () => {
  const problems = (weights: Record<string, number>) =>
    summaryGroupSchema.safeParse({ name: 'all', subsets: ['x', 'y'], weights }).error?.issues.map(({ message }) => message) ?? []
  expect(problems({ x: 1, y: 0 })).toEqual([])
  expect(problems({ x: 1, yy: 9 })).toEqual(['"yy" is none of the subsets', '"y" has no weight; 0 leaves it out'])
  expect(problems({ x: 0, y: 0 })).toEqual(['none of the subsets counts'])
})

test('metrics that are not means of rows are compared directly, on the same rows', () => {
  // The fraction of the rows' sums: row 2 has most of the weight.
  const sums = (values: readonly number[]): ScoredPair['compared'] => ({
    has: (row) => row < values.length,
    of: (rows) => rows.reduce((sum, row) => sum + values[row]!, 0),
  })
  const scores = [0, 0, 1]
  const [compared] = compareModels([
    { result: result('a', 'x', 1), scores, compared: sums([1, 1, 1]) },
    { result: result('b', 'x', 9), scores: [1, 1, 0], compared: sums([1, 1, 7, 5]) },
  ])
  expect(compared).toMatchObject({ rows: 3, difference: 6, unit: 'percent' })
  expect(compared!.mcnemar).toBeUndefined()
  expect(compared!.interval.low).toBeGreaterThanOrEqual(0)
  expect(
    compareModels([
      { result: result('a', 'x', 1), scores, compared: 'nothing' },
      { result: result('b', 'x', 1), scores, compared: 'nothing' },
    ]),
  ).toEqual([])
})

test('the page shows intervals, groups and comparisons', () => {
  const results = [result('a', 'x', 40), result('b', 'x', 80)]
  const page = summaryMarkdown({
    name: 'run',
    started: 'now',
    seconds: 1,
    version: '0',
    results,
    groups: groupResults([{ name: 'all', subsets: ['x'] }], results).groups,
  })
  expect(page).toContain(String.raw`| a | 40.0 \[30.0, 50.0\] |`)
  expect(page).toContain('95 % confidence')
  expect(page).toContain('b · all 80.0')
})

test('the spread between formats names the best and the worst', () => {
  const [chatml, plain] = [
    { ...result('it is known as tiny', 'x', 80), format: 'chatml' },
    { ...result('it is known as tiny', 'x', 55.5), format: 'plain' },
  ]
  expect(formatSpread([chatml, plain])).toEqual(['it is known as tiny on x: 24.5 between formats (plain 55.5, chatml 80.0)'])
})

test('one model in two formats has two lines, two group values and a separate format in every output', () => {
  const results = ['chatml', 'plain'].map((format, place) => ({ ...result('tiny', 'x', 80 - place), format }))
  const groups = groupResults([{ name: 'all', subsets: ['x'] }], results).groups
  expect(groups).toMatchObject([
    { model: 'tiny', format: 'chatml', value: 80 },
    { model: 'tiny', format: 'plain', value: 79 },
  ])
  const page = summaryMarkdown({ name: 'run', started: 'now', seconds: 1, version: '0', results, groups })
  expect(page).toContain('| tiny as chatml | 80.0')
  expect(page).toContain('| tiny as plain | 79.0')
  const [header, ...lines] = summaryCsv({ results, groups }).split('\n')
  expect(header).toMatch(/^model,dataset,.*,format,/)
  expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^tiny,x,.*,chatml,/), expect.stringMatching(/^tiny,x,.*,plain,/)])
  expect(resultsTable(results, 120)).toMatch(/tiny as chatml .* 80\.0.*\ntiny as plain .* 79\.0/)
  const [compared] = compareModels(results.map((one) => ({ result: one, scores: [1, 0, 1] })))
  expect(compared).toMatchObject({ first: 'tiny', firstFormat: 'chatml', second: 'tiny', secondFormat: 'plain' })
  expect(comparisonText(compared!)).toContain('tiny as plain against tiny as chatml on x')
})
