import { describe, expect, test } from 'vitest'
import { chooseRows, countShows, type Order, type RowFilter, tableOf } from './choose-rows.ts'

const column = {
  from: 0,
  ids: [0, 1, 2, 5, 6],
  scores: [1, 0, 0, null, 1],
  failed: [5],
  outcomes: { refused: [1], cut: [2], failed: [5] },
}
const columns = {
  promptTokens: [10, 20, 30, 0, 5],
  replyTokens: [1, 1, 9, 0, 1],
  milliseconds: [5, null, 3, 9, 1],
  cut: [2, 4],
  notes: [{ code: 'marker-in-data', text: 'a marker', places: [0, 4] }],
  columns: [{ name: 'category', values: ['sums', 'facts'], of: [0, 1, 1, -1, 0] }],
}
const table = tableOf(column, { kind: 'verdict', direction: 'higher' })
const byNumber: Order = { by: 'number', isDescending: false }
const chosen = (filter: Partial<RowFilter>, order = byNumber) => chooseRows(table, columns, { show: 'all', ...filter }, order)

describe('rows of a run', () => {
  test('are distinguished by verdict, one each', () => {
    expect(table.verdicts).toEqual(['right', 'unread', 'unread', 'failed', 'right'])
    expect(chosen({ show: 'right' })).toEqual([0, 4])
    expect(chosen({ show: 'wrong' })).toEqual([])
    expect(chosen({ show: 'failed' })).toEqual([3])
    expect(chosen({ show: 'none' })).toEqual([3])
  })

  test('are filtered by outcome, by replies at the token limit, notes, a column and search results together', () => {
    expect(chosen({ show: 'limit' })).toEqual([2, 4])
    expect(chosen({ show: 'cut' })).toEqual([2])
    expect(chosen({ show: 'answered' })).toEqual([0, 4])
    expect(chosen({ show: 'noted' })).toEqual([0, 4])
    expect(chosen({ show: 'refused' })).toEqual([1])
    expect(chosen({ note: 'marker-in-data' })).toEqual([0, 4])
    expect(chosen({ column: { name: 'category', value: 'facts' } })).toEqual([1, 2])
    expect(chosen({ column: { name: 'category', value: 'facts' }, show: 'cut', found: new Set([2, 3]) })).toEqual([2])
    expect(chosen({ column: { name: 'nothing', value: 'facts' } })).toEqual([])
  })

  test('are counted for each filter among the rows that pass the other filters', () => {
    const counts = (filter: Partial<RowFilter>) =>
      Object.fromEntries(countShows(table, columns, { show: 'all', ...filter }).map(({ show, count }) => [show, count]))
    expect(counts({})).toEqual({ all: 5, right: 2, none: 1, answered: 2, cut: 1, refused: 1, failed: 1, limit: 2, noted: 2 })
    expect(counts({ column: { name: 'category', value: 'sums' } })).toMatchObject({ all: 2, right: 2, cut: 0 })
    // A selected filter stays, even if no row passes it.
    expect(counts({ show: 'wrong' })).toMatchObject({ wrong: 0 })
  })

  test('with several answers are counted once for each outcome', () => {
    const several = tableOf({ ...column, outcomes: { cut: [1, 2], answered: [1] } }, undefined)
    const by = (show: RowFilter['show']) => chooseRows(several, columns, { show }, byNumber)
    expect([by('answered'), by('cut')]).toEqual([
      [0, 1, 3, 4],
      [1, 2],
    ])
  })

  test('are sorted by any column, with missing values last', () => {
    expect(chosen({}, { by: 'tokens', isDescending: true })).toEqual([2, 1, 0, 4, 3])
    expect(chosen({}, { by: 'time', isDescending: false })).toEqual([4, 2, 0, 3, 1])
    expect(chosen({}, { by: 'score', isDescending: true })).toEqual([0, 4, 1, 2, 3])
    expect(chosen({}, { by: 'verdict', isDescending: false })).toEqual([0, 4, 1, 2, 3])
    expect(chosen({}, { by: 'number', isDescending: true })).toEqual([4, 3, 2, 1, 0])
  })
})
