import { describe, expect, test } from 'vitest'
import { judgeFailedRows, type RowCounts, readAllowedFailures } from './failed-rows.ts'

const summary = (...results: [rows: number, failed: number][]): RowCounts => ({
  results: results.map(([rows, failed], index) => ({ model: 'm', dataset: `d${index}`, rows, failed })),
})

describe('--allow-failed', () => {
  test('takes a share of all rows, or a number', () => {
    expect([200, 199, 99].map((rows) => readAllowedFailures('1%').of(rows))).toEqual([2, 1, 0])
    expect(readAllowedFailures(' 0.5% ').of(1000)).toBe(5)
    expect(readAllowedFailures('20').of(10)).toBe(20)
    for (const wrong of ['', '-1', '1.5', '101%', 'some', '1 %', 'NaN']) {
      expect(() => readAllowedFailures(wrong)).toThrow('expected a share such as 1%')
    }
  })

  test('accepts failed rows up to it, and says so', () => {
    const given = summary([150, 1], [50, 1])
    expect(judgeFailedRows(given, readAllowedFailures('1%')).within).toBe(
      '2 of 200 rows have no answer or no score, which --allow-failed 1% allows',
    )
    expect(judgeFailedRows(given, readAllowedFailures('1')).failure).toMatchObject({
      code: 'failed-rows',
      problem: '2 of 200 rows have no answer or no score; --allow-failed allows 1',
      exit_code: 4,
    })
    expect(judgeFailedRows(given).failure).toMatchObject({ exit_code: 4 })
    expect(judgeFailedRows(summary([10, 0]))).toEqual({})
  })

  test('never accepts a dataset without any answer', () => {
    const { failure } = judgeFailedRows(summary([1000, 0], [2, 2]), readAllowedFailures('1%'))
    expect(failure?.problem).toContain('never allows all of a dataset (m on d1)')
  })
})
