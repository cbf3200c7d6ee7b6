import { expect, test } from 'vitest'
import { pairResult } from '../../../../../../proof/testing/pair-result.ts'
import { bar, resultsTable } from './results-table.ts'
import type { PairResult } from './run-record.ts'

test('columns align, counting Chinese characters as two', () => {
  expect(
    resultsTable(
      [
        pairResult('模型', '数学', 50),
        pairResult('a', '数学', 100),
        pairResult('a', 'ppl', 1.25, { kind: 'quantity', unit: 'nats per token', direction: 'lower', metric: 'average_ppl' }),
      ],
      80,
    ),
  ).toBe(
    `       数学             ppl
       accuracy %       average_ppl ↓, nats per token
模型   ████····  50.0
a      ████████ 100.0   1.2500`,
  )
})

test('intervals are omitted if they do not fit', () => {
  const some = [pairResult('model', 'one', 50, { interval: { low: 23.7, high: 76.3, method: 'wilson' } } as Partial<PairResult>)]
  expect(resultsTable(some, 40)).toContain('50.0 [23.7, 76.3]')
  expect(resultsTable(some, 30)).toMatch(/50\.0$/)
})

test('a table that is wider than the terminal becomes a line per metric', () => {
  expect(resultsTable([pairResult('model', 'one', 5), pairResult('model', 'two')], 30)).toBe(
    `model · one   ▍·······   5.0   accuracy %, 10 rows
model · two   –   accuracy %, 10 rows`,
  )
})

test('bars are accurate to an eighth of a column', () => {
  expect([0, 1 / 64, 0.5, 1, 2, -1].map((share) => bar(share))).toEqual([
    '········',
    '▏·······',
    '████····',
    '████████',
    '████████',
    '········',
  ])
})
