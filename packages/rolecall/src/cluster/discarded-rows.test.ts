import { expect, test } from 'vitest'
import { DiscardedRows } from './discarded-rows.ts'

test('a row may be discarded with nine jobs, each of which counts once', () => {
  const rows = new DiscardedRows()
  for (let job = 1; job <= 9; job++) for (let time = 0; time < 3; time++) expect(rows.mayDiscard('row', `${job}`)).toBe(true)
  expect(rows.mayDiscard('other row', '1')).toBe(true)
  expect(rows.mayDiscard('row', '10')).toBe(false)
})

test('only the last thousand rows are counted', () => {
  const rows = new DiscardedRows()
  for (let job = 1; job <= 9; job++) rows.mayDiscard('row', `${job}`)
  for (let row = 0; row < 1000; row++) rows.mayDiscard(`forged ${row}`, 'x')
  expect(rows.mayDiscard('row', '10')).toBe(true)
})
