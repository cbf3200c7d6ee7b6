import { describe, expect, test } from 'vitest'
import { clusteredInterval, figureInterval, meanInterval, wilsonInterval } from './interval.ts'
import { holm, meanWithError } from './mean-with-error.ts'
import { comparePaired, mcnemarTest } from './paired.ts'
import { criticalT, twoSided } from './student-t.ts'

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

describe('groups of rows that are not independent', () => {
  const rows = Array.from({ length: 60 }, (_, row) => row)
  const first = rows.map((row) => ((row * 37) % 101) / 101)
  const second = rows.map((row) => ((row * 53 + 7) % 97) / 97)
  const clusters = rows.map((row) => Math.floor(row / 5))

  test('the standard error of a mean equals that of statsmodels', () => {
    // statsmodels 0.15: OLS(first, ones).fit(cov_type='cluster', cov_kwds={'groups': clusters}).bse
    expect(meanWithError(first, clusters).error).toBeCloseTo(0.026555354550809446, 14)
    // Rows on their own: the usual standard error.
    expect(meanWithError(first, rows).error).toBeCloseTo(meanWithError(first).error, 14)
  })

  test('differences are tested and have intervals over groups', () => {
    // OLS(second - first, ones).fit(cov_type='cluster', …, use_t=True)
    const compared = comparePaired(first, second, { kind: 'graded', clusters })
    expect(compared).toMatchObject({ test: 'clustered-t', interval: { method: 'clustered', clusters: 12 } })
    expect(compared.p).toBeCloseTo(0.5847118585837903, 12)
    expect(compared.interval.low).toBeCloseTo(-0.07957381128739799, 12)
    expect(compared.interval.high).toBeCloseTo(0.04715572411785626, 12)
    // scipy.stats.ttest_rel(second, first)
    expect(comparePaired(first, second, { kind: 'graded' })).toMatchObject({ test: 't', p: expect.closeTo(0.7289961013999269, 12) })
  })

  test('other metrics are resampled group by group', () => {
    const interval = figureInterval(first, (drawn) => Math.max(...drawn), 0, clusters)!
    expect(interval).toMatchObject({ method: 'bootstrap', draws: 1000, seed: 0, clusters: 12 })
  })

  test('a single group, or rows that all differ by the same amount, have no p value', () => {
    expect(clusteredInterval([1, 0], ['a', 'a'])).toBeUndefined()
    expect(figureInterval([1, 0], (drawn) => Math.max(...drawn), 0, ['a', 'a'])).toBeUndefined()
    // The mean of 49 equal values has a floating-point error if each is divided.
    expect(clusteredInterval(new Array(49).fill(1), rows.slice(0, 49))).toMatchObject({ low: 1, high: 1 })
    expect(comparePaired([0, 0], [0.5, 0.5], { kind: 'graded' }).p).toBeUndefined()
    expect(comparePaired([1, 0], [1, 0], { kind: 'graded' }).p).toBe(1)
  })
})

test("Student's t distribution equals scipy's", () => {
  // 2 * scipy.stats.t.sf(t, degrees)
  for (const [t, degrees, p] of [
    [0.5, 1, 0.7048327646991335],
    [2.228, 10, 0.05001177181711134],
    [5, 200, 1.2501981277715416e-6],
    [40, 59, 1.892086191846385e-44],
  ] as const)
    expect(twoSided(t, degrees) / p).toBeCloseTo(1, 11)
  // scipy.stats.t.ppf(0.975, degrees)
  expect(criticalT(1)).toBeCloseTo(12.706204736174694, 9)
  expect(criticalT(250.5)).toBeCloseTo(1.969479272051676, 11)
})

test("Holm's adjustment equals that of statsmodels", () => {
  // multipletests([…], method='holm')
  const adjusted = holm([0.001, 0.04, 0.03, 0.2, 0.0005, 0.9, 0.049])
  expect(adjusted.map((p) => Number(p.toFixed(12)))).toEqual([0.006, 0.16, 0.15, 0.4, 0.0035, 0.9, 0.16])
  expect(holm([])).toEqual([])
})
