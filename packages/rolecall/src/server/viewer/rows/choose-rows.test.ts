import { describe, expect, test } from 'vitest'
import { chooseRows, countChoices, countShows, tableOf } from './choose-rows.ts'
import { filterOf, type Order, type RowFilter, readRange, writeRange } from './row-filter.ts'

const column = {
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
  cached: [1],
  notes: [
    {
      code: 'marker-in-data',
      places: [0, 4],
      texts: [
        { text: 'a marker', places: [0] },
        { text: 'two markers', places: [4] },
      ],
    },
    { code: 'failed', places: [3], texts: [{ text: 'no reply', places: [3] }] },
  ],
  reasons: [{ reason: 'it calls nothing', places: [1, 2] }],
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
    expect(chosen({ show: 'cached' })).toEqual([1])
    expect(chosen({ note: { code: 'marker-in-data' } })).toEqual([0, 4])
    expect(chosen({ note: { code: 'marker-in-data', text: 'two markers' } })).toEqual([4])
    expect(chosen({ note: { code: 'failed', text: 'no reply' } })).toEqual([3])
    expect(chosen({ reason: 'it calls nothing' })).toEqual([1, 2])
    expect(chosen({ reason: 'another' })).toEqual([])
    expect(chosen({ column: { name: 'category', value: 'facts' } })).toEqual([1, 2])
    expect(chosen({ column: { name: 'category', value: 'facts' }, show: 'cut', found: new Set([2, 3]) })).toEqual([2])
    expect(chosen({ column: { name: 'nothing', value: 'facts' } })).toEqual([])
  })

  test('are counted for each filter among the rows that pass the other filters', () => {
    const counts = (filter: Partial<RowFilter>) =>
      Object.fromEntries(countShows(table, columns, { show: 'all', ...filter }).map(({ show, count }) => [show, count]))
    expect(counts({})).toEqual({ all: 5, right: 2, none: 1, answered: 2, cut: 1, refused: 1, failed: 1, limit: 2, cached: 1, noted: 2 })
    expect(counts({ column: { name: 'category', value: 'sums' } })).toMatchObject({ all: 2, right: 2, cut: 0 })
    // A selected filter stays, even if no row passes it.
    expect(counts({ show: 'wrong' })).toMatchObject({ wrong: 0 })
  })

  test('are counted for each choice among the rows that pass the other filters, and the choice shows as many', () => {
    const filter: RowFilter = { show: 'right', column: { name: 'category', value: 'facts' } }
    const choices = countChoices(table, columns, filter)
    expect(choices.columns[0]!.values).toEqual([
      { value: 'sums', count: 2 },
      { value: 'facts', count: 0 },
    ])
    for (const { value, count } of choices.columns[0]!.values) {
      expect(chosen({ ...filter, column: { name: 'category', value } })).toHaveLength(count)
    }
    const { notes, reasons } = countChoices(table, columns, { show: 'all', column: { name: 'category', value: 'facts' } })
    expect(notes[0]).toEqual({
      code: 'marker-in-data',
      count: 0,
      texts: [
        { text: 'a marker', count: 0 },
        { text: 'two markers', count: 0 },
      ],
    })
    expect(reasons).toEqual([{ reason: 'it calls nothing', count: 2 }])
  })

  test('are filtered by score, tokens and seconds; both ends are included', () => {
    expect(chosen({ ranges: { tokens: { from: 11, to: 21 } } })).toEqual([0, 1])
    expect(chosen({ ranges: { time: { to: 0.005 } } })).toEqual([0, 2, 4])
    expect(chosen({ ranges: { score: { from: 1 } } })).toEqual([0, 4])
    expect(chosen({ ranges: { score: { to: 0 }, tokens: { from: 39 } } })).toEqual([2])
  })

  test('are chosen by an address; what does not exist in it has no effect', () => {
    expect(filterOf({ show: 'wrong', tokens: '10..', time: 'soon', note: 'a', said: 'b', sort: 'time', descending: '1' })).toEqual({
      filter: { show: 'wrong', note: { code: 'a', text: 'b' }, ranges: { tokens: { from: 10 } } },
      order: { by: 'time', isDescending: true },
    })
    expect(filterOf({ show: 'error' }).filter.show).toBe('failed')
    expect(filterOf({ show: 'nothing', sort: 'colour' })).toMatchObject({ filter: { show: 'all' }, order: { by: 'number' } })
    for (const text of ['..', '1..2', '-0.5..', '..3']) expect(writeRange(readRange(text)!)).toBe(text === '..' ? undefined : text)
    for (const text of ['', '1', '1...2', 'a..b', '1..2..3']) expect(readRange(text)).toBeUndefined()
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
