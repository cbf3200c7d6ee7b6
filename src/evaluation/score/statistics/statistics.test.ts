import { expect, test } from 'vitest'
import { figureInterval, meanInterval, wilsonInterval } from './interval.ts'
import { comparePaired, mcnemarTest } from './paired.ts'

test("Wilson's interval matches the textbook", () => {
  // Brown, Cai, DasGupta (2001) and scipy.stats.binomtest(8, 10).proportion_ci(method='wilson')
  expect(wilsonInterval(8, 10).low).toBeCloseTo(0.490162, 5)
  expect(wilsonInterval(8, 10).high).toBeCloseTo(0.943318, 5)
  expect(wilsonInterval(0, 20)).toMatchObject({ low: 0, method: 'wilson' })
  expect(wilsonInterval(20, 20).high).toBe(1)
})

test('the interval of a mean is deterministic, contains the mean and shrinks with more rows', () => {
  const values = Array.from({ length: 400 }, (_, row) => (row * 37) % 101)
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length
  const all = meanInterval(values)
  expect(meanInterval(values)).toEqual(all)
  expect(all.low).toBeLessThan(mean)
  expect(all.high).toBeGreaterThan(mean)
  const few = meanInterval(values.slice(0, 40))
  expect(few.high - few.low).toBeGreaterThan(2 * (all.high - all.low))
})

test('with very many rows the interval comes from the standard error, and agrees with resampling', () => {
  const values = Array.from({ length: 4000 }, (_, row) => (row * 37) % 101)
  const resampled = meanInterval(values)
  const byError = meanInterval([...values, ...values, ...values, ...values])
  expect([resampled.method, byError.method]).toEqual(['bootstrap', 'normal'])
  expect((byError.high - byError.low) / (resampled.high - resampled.low)).toBeCloseTo(0.5, 1)
})

test('a metric over all rows is resampled, and has no interval if there are too many', () => {
  const interval = figureInterval([1, 2, 3, 4], (rows) => Math.max(...rows))!
  expect(interval.high).toBe(4)
  expect(interval.low).toBeLessThan(4)
  expect(figureInterval(new Array(100_000).fill(1), (rows) => rows.length)).toBeUndefined()
})

test("McNemar's test counts only rows on which the two differ", () => {
  // scipy.stats.binomtest(2, 12).pvalue
  const first = [...new Array(10).fill(1), ...new Array(2).fill(0), ...new Array(50).fill(1)]
  const second = [...new Array(10).fill(0), ...new Array(2).fill(1), ...new Array(50).fill(1)]
  expect(mcnemarTest(first, second)).toMatchObject({ onlyFirst: 10, onlySecond: 2 })
  expect(mcnemarTest(first, second).p).toBeCloseTo(0.038574, 5)
  expect(mcnemarTest([1, 0], [1, 0]).p).toBe(1)
})

test('a comparison of graded scores has an interval and no McNemar test', () => {
  const compared = comparePaired([0.5, 0.25, 0.75], [0.6, 0.35, 0.85])
  expect(compared.difference).toBeCloseTo(0.1)
  expect(compared.interval.low).toBeCloseTo(0.1)
  expect(compared.mcnemar).toBeUndefined()
  expect(() => comparePaired([1], [1, 0])).toThrow(/same rows/)
})
