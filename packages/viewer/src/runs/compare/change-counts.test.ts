import { expect, test } from 'vitest'
import { changeCounts, countsByValue } from './change-counts.ts'

const pair = {
  rows: {
    ids: [0, 1, 2, 3],
    places: [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
    ] as const,
    changes: 'bwo=',
    differs: [],
  },
}

test('rows are won or lost; changed answers with the same score are neither', () => {
  expect(changeCounts(pair)).toEqual({ better: 1, worse: 1 })
  expect(changeCounts(pair, [0, 3])).toEqual({ better: 1, worse: 0 })
})

test('rows are counted by the value of a column of the first side; rows without a value are left out', () => {
  expect(countsByValue(pair, { name: 'c', values: ['x', 'y', 'z'], of: [1, 0, 1, -1] })).toEqual([
    { value: 'y', rows: 2, better: 1, worse: 0 },
    { value: 'x', rows: 1, better: 0, worse: 1 },
  ])
})
