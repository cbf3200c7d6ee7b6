import { expect, test } from 'vitest'
import { groupRuns } from './group-runs.ts'

const run = (name: string, ...pairs: string[]) => ({
  name,
  run: {
    pairs: pairs.map((pair) => {
      const [model = '', dataset = ''] = pair.split(' ')
      return { model, dataset, modelIndex: 0, datasetIndex: 0 }
    }),
  },
})
const runs = [run('c', 'small sums', 'small facts'), run('b', 'large sums'), run('a', 'small facts', 'small sums')]
const shown = (by: Parameters<typeof groupRuns>[1]) =>
  groupRuns(runs, by).map((group) => [group.name, group.runs.map(({ name }) => name).join('')])

test('whole runs are grouped by the datasets or models that they have, in the order of their first runs', () => {
  expect(shown('datasets')).toEqual([
    ['facts, sums', 'ca'],
    ['sums', 'b'],
  ])
  expect(shown('models')).toEqual([
    ['small', 'ca'],
    ['large', 'b'],
  ])
  expect(shown(undefined)).toEqual([[undefined, 'cba']])
  expect(shown('model')).toEqual([[undefined, 'cba']])
})
