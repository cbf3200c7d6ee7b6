import { expect, test } from 'vitest'
import { compareModels, comparisonText, formatSpread } from './compare-models.ts'
import type { PairResult } from './run-record.ts'
import { groupResults } from './summary-groups.ts'
import { summaryMarkdown } from './summary-markdown.ts'

const result = (model: string, dataset: string, value: number): PairResult => ({
  model,
  dataset,
  metric: 'accuracy',
  unit: 'percent',
  value,
  interval: { low: value - 10, high: value + 10, method: 'wilson' },
  rows: 10,
  failed: 0,
  skipped: 0,
  tokens: { prompt: 0, reused: 0, reply: 0 },
  cut: 0,
  examplesDropped: 0,
  seconds: 1,
  notes: [],
})

test('models on the same rows are compared row by row, rows without a score left out', () => {
  const [compared] = compareModels([
    { result: result('a', 'sums', 10), scores: [1, 0, 0, 0, 0, 0, 0, 0, Number.NaN] },
    { result: result('b', 'sums', 90), scores: [1, 1, 1, 1, 1, 1, 1, 1, 0] },
  ])
  expect(compared).toMatchObject({ rows: 8, difference: 87.5, mcnemar: { onlyFirst: 0, onlySecond: 7 } })
  expect(comparisonText(compared!)).toMatch(/^b against a on sums: \+87\.5 \[.*McNemar p 0\.016$/)
})

test('a difference that may be chance says so', () => {
  const [compared] = compareModels([
    { result: result('a', 'sums', 50), scores: [1, 0] },
    { result: result('b', 'sums', 100), scores: [1, 1] },
  ])
  expect(comparisonText(compared!)).toMatch(/may be chance$/)
})

test('groups are means, weighted where weights are given, with an interval narrower than that of one dataset', () => {
  const results = [result('a', 'x', 40), result('a', 'y', 80)]
  const [plain] = groupResults([{ name: 'all', subsets: ['x', 'y'] }], results)
  expect(plain).toMatchObject({ model: 'a', group: 'all', value: 60 })
  expect(plain!.interval!.high - 60).toBeCloseTo(10 / Math.SQRT2)
  expect(groupResults([{ name: 'all', subsets: ['x', 'y'], weights: { x: 3, y: 1 } }], results)[0]!.value).toBe(50)
  expect(groupResults([{ name: 'all', subsets: ['x', 'z'] }], results)).toEqual([])
})

test('the page shows intervals, groups and comparisons', () => {
  const results = [result('a', 'x', 40), result('b', 'x', 80)]
  const page = summaryMarkdown({
    name: 'run',
    started: 'now',
    seconds: 1,
    version: '0',
    results,
    groups: groupResults([{ name: 'all', subsets: ['x'] }], results),
  })
  expect(page).toContain(String.raw`| a | 40.0 \[30.0, 50.0\] |`)
  expect(page).toContain('95 % confidence')
  expect(page).toContain('b, all: 80.0')
})

test('the spread between formats names the best and the worst', () => {
  expect(formatSpread([result('tiny as chatml', 'x', 80), result('tiny as plain', 'x', 55.5)])).toEqual([
    'tiny on x: 24.5 between formats (plain 55.5, chatml 80.0)',
  ])
})
