import { describe, expect, test } from 'vitest'
import { tableOf } from '../rows/choose-rows.ts'
import { readRange } from '../rows/row-filter.ts'
import { completions } from './complete-term.ts'
import { readTerms } from './filter-terms.ts'
import { againstFirst, columnScores } from './grid-scores.ts'
import { type CellRows, joinGrid } from './grid-table.ts'
import { lineOfQuery } from './line-of-query.ts'
import { disagreement, type FoundTexts, matchRows } from './match-rows.ts'
import { type GridOrder, orderOfQuery, sortRows } from './sort-rows.ts'

const metric = { metric: 'accuracy', kind: 'verdict', unit: 'percent', direction: 'higher' } as const
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
const table = tableOf(column, metric)
const first: CellRows = { run: 0, pair: 0, table, columns, metric }
const one = joinGrid([{ data: 'd', cells: [first] }])
const onlyColumn = [{ letter: 'A', names: ['small'] }]
const chosen = (line: string, found?: FoundTexts) => matchRows(one, onlyColumn, readTerms(line), found).rows

describe('the rows of one column', () => {
  test('are distinguished by verdict, one each; wrong is every row without a point, incorrect what was compared', () => {
    expect(table.verdicts).toEqual(['right', 'unread', 'unread', 'failed', 'right'])
    expect([chosen('right'), chosen('wrong'), chosen('incorrect'), chosen('unread'), chosen('failed'), chosen('none')]).toEqual([
      [0, 4],
      [1, 2],
      [],
      [1, 2],
      [3],
      [3],
    ])
  })

  test('are filtered by outcome, replies at the token limit, notes, columns and searches together, and by what they are not', () => {
    const line: Record<string, number[]> = {
      '': [0, 1, 2, 3, 4],
      limit: [2, 4],
      cut: [2],
      answered: [0, 4],
      noted: [0, 4],
      refused: [1],
      cached: [1],
      'note=marker-in-data': [0, 4],
      'note="two markers"': [4],
      'note="no reply"': [3],
      'reason="it calls nothing"': [1, 2],
      'category=facts': [1, 2],
      'category=facts cut': [2],
      '-category=facts': [0, 3, 4],
      'small:right -limit': [0],
      '5': [3],
    }
    for (const [text, rows] of Object.entries(line)) expect([text, chosen(text)]).toEqual([text, rows])
    expect(chosen('category=facts light', new Map([['light', [[new Set([2, 3])]]]]))).toEqual([2])
  })

  test('are filtered by score, tokens and seconds; both ends are included', () => {
    expect([
      chosen('tokens=11..21'),
      chosen('time=..0.005'),
      chosen('score=1..'),
      chosen('score=..0 tokens=39..'),
      chosen('tokens=6'),
    ]).toEqual([[0, 1], [0, 2, 4], [0, 4], [2], [4]])
    for (const text of ['', '1', '1...2', 'a..b', '1..2..3']) expect(readRange(text)).toBeUndefined()
  })

  test('what a term names and is not here has no effect, and is reported with what is', () => {
    const { rows, unknown } = matchRows(one, onlyColumn, readTerms('B:right category=poems colour=red tokens=many any:odd'))
    expect(rows).toHaveLength(5)
    expect(unknown.map(({ source, problem }) => [source, problem])).toEqual([
      ['B:right', 'column'],
      ['category=poems', 'value'],
      ['colour=red', 'column'],
      ['tokens=many', 'range'],
      ['any:odd', 'word'],
    ])
    expect(unknown[0]!.known).toEqual(['A', 'small'])
    expect(unknown[1]!.known).toEqual(['sums', 'facts'])
  })

  test('are sorted by any measure, with missing values last', () => {
    const sorted = (order: GridOrder) => sortRows(one, [0, 1, 2, 3, 4], order)
    expect(sorted({ by: '0:tokens', isDescending: true })).toEqual([2, 1, 0, 4, 3])
    expect(sorted({ by: '0:time', isDescending: false })).toEqual([4, 2, 0, 3, 1])
    expect(sorted({ by: '0:score', isDescending: true })).toEqual([0, 4, 1, 2, 3])
    expect(sorted({ by: '0:verdict', isDescending: false })).toEqual([0, 4, 1, 2, 3])
    expect(sorted({ by: 'number', isDescending: true })).toEqual([4, 3, 2, 1, 0])
    expect(orderOfQuery({ sort: 'tokens', descending: '1' }, 1).order).toEqual({ by: '0:tokens', isDescending: true })
    expect(orderOfQuery({ sort: '1:tokens' }, 1)).toMatchObject({ order: { by: 'number' }, unknown: '1:tokens' })
  })

  test('links of earlier versions become a filter line; what they name and is not here stays visible', () => {
    expect(lineOfQuery({ show: 'wrong', tokens: '10..', note: 'a', said: 'b c', text: 'two words', q: 'cut' })).toBe(
      'cut incorrect note="b c" tokens=10.. "two words"',
    )
    expect(lineOfQuery({ show: 'error', column: 'level', value: 'hard', text: '9\\d', pattern: '' })).toBe('failed level=hard /9\\d/')
    expect(matchRows(one, onlyColumn, readTerms(lineOfQuery({ show: 'odd', time: 'soon' }))).unknown).toHaveLength(2)
  })
})

describe('several columns', () => {
  const second: CellRows = {
    run: 0,
    pair: 1,
    table: tableOf({ ids: [0, 1, 2, 5], scores: [1, 1, 0, 1], failed: [], outcomes: {} }, metric),
    metric,
    matched: {
      places: [
        [0, 1, 2, 3],
        [0, 1, 2, 3],
      ],
      changes: '=b=b',
    },
  }
  const names = [
    { letter: 'A', names: ['small'] },
    { letter: 'B', names: ['large'] },
  ]
  const grid = joinGrid([{ data: 'd', cells: [first, second] }])
  const rowsOf = (line: string) => matchRows(grid, names, readTerms(line)).rows

  test('are joined by row number, and terms are about one, all or any of them', () => {
    expect([...grid.parts[0]!.cells[1]!.places]).toEqual([0, 1, 2, 3, -1])
    expect([
      rowsOf('A:wrong B:right'),
      rowsOf('small:wrong large:right'),
      rowsOf('all:right'),
      rowsOf('right'),
      rowsOf('all:wrong'),
      rowsOf('better'),
      rowsOf('disagree'),
    ]).toEqual([[1], [1], [0], [0, 1, 3, 4], [2], [1, 3], [1]])
    expect([0, 1, 2].map((index) => disagreement(grid.parts[0]!, index))).toEqual([0, 1, 0])
  })

  test('of another run are joined as their rows were matched', () => {
    const other = {
      ...second,
      run: 1,
      matched: {
        places: [
          [0, 2],
          [3, 0],
        ] as const,
        changes: '=w',
      },
    }
    const [part] = joinGrid([{ data: 'd', cells: [first, other] }]).parts
    expect([...part!.cells[1]!.places]).toEqual([3, -1, 0, -1, -1])
    expect(part!.changes).toBe('= w  ')
  })

  test('have scores with intervals over the rows shown, and a test against the first', () => {
    const scores = columnScores(grid, 2, [0, 1, 2, 3, 4])
    expect(scores.map(({ value, rows }) => [value, rows])).toEqual([
      [50, 4],
      [75, 4],
    ])
    expect(scores[0]!.interval!.low).toBeCloseTo(15, 0)
    expect(columnScores(grid, 2, [1]).map(({ value }) => value)).toEqual([0, 100])
    expect(againstFirst(grid, 1, [0, 1, 2, 3, 4])).toMatchObject({ rows: 3, mcnemar: { onlyFirst: 0, onlySecond: 1 } })
    const whole = joinGrid([{ data: 'd', cells: [{ ...first, metric: { ...metric, isMeanOfRows: false } }] }])
    expect(columnScores(whole, 1, [0, 1])[0]).toMatchObject({ why: 'whole' })
  })

  test('a row that is excluded in one column counts in none, and is found by a word', () => {
    const annotated = tableOf(column, metric, [{ row: 1, at: '', excluded: 'wrong expected answer' }])
    const without = joinGrid([{ data: 'd', cells: [{ ...first, table: annotated }, second] }])
    expect(columnScores(without, 2, [0, 1, 2, 3, 4]).map(({ value, rows, excluded }) => [value, rows, excluded])).toEqual([
      [(100 * 2) / 3, 3, 1],
      [(100 * 2) / 3, 3, 1],
    ])
    expect(matchRows(without, names, readTerms('excluded')).rows).toEqual([1])
    expect(againstFirst(without, 1, [0, 1, 2, 3, 4])).toMatchObject({ rows: 2, difference: 0 })
  })

  test('a term is completed with the number of rows that it would leave', () => {
    const rows = rowsOf('A:right')
    const found = completions(grid, names, { rows, chosen: ['A:right'], typed: 'B:' })
    expect(found.slice(0, 1)).toEqual([{ term: 'B:right', kind: 'answer', rows: 1 }])
    expect(completions(grid, names, { rows, chosen: [], typed: 'fac' })).toEqual([
      { term: 'category=facts', kind: 'column', rows: 0 },
      { term: 'reply~"fac"', kind: 'text' },
      { term: 'q~"fac"', kind: 'text' },
    ])
  })

  test('of 100,000 rows and two columns are filtered, sorted and scored within 0.3 s of processor time each', () => {
    const ids = Array.from({ length: 100_000 }, (_, id) => id)
    const cell = (pair: number): CellRows => ({
      run: 0,
      pair,
      table: tableOf({ ids, scores: ids.map((id) => ((id * (pair + 7)) % 11 > 4 ? 1 : 0)), failed: [], outcomes: {} }, metric),
      metric,
    })
    const large = joinGrid([{ data: 'd', cells: [cell(0), cell(1)] }])
    const spent = (work: () => unknown) => {
      const before = process.cpuUsage()
      work()
      const { user } = process.cpuUsage(before)
      return user / 1e6
    }
    const { rows } = matchRows(large, names, readTerms('A:right B:wrong'))
    expect(rows.length).toBeGreaterThan(10_000)
    expect(spent(() => matchRows(large, names, readTerms('A:right B:wrong')))).toBeLessThan(0.3)
    expect(spent(() => sortRows(large, rows, { by: 'disagreement', isDescending: true }))).toBeLessThan(0.3)
    expect(spent(() => columnScores(large, 2, rows))).toBeLessThan(0.3)
    expect(spent(() => completions(large, names, { rows, chosen: [], typed: 'A' }))).toBeLessThan(0.3)
  })
})
