import { expect, test } from 'vitest'
import type { RunLine, RunSite } from '../../../../rolecall/src/server/viewer/viewer-data.ts'
import { trendLines } from './trend-lines.ts'

const run = (started: string, pairs: readonly (readonly [string, string])[]): RunSite => ({
  name: 'r',
  started,
  folder: started,
  place: started,
  config: 0,
  pairs: pairs.map(([model, dataset]) => ({ model, dataset, modelIndex: 0, datasetIndex: 0 })),
})
const line = (...values: (readonly [number | undefined, string])[]): RunLine => ({
  state: 'done',
  rows: 1,
  figures: values.map(([value, metric]) => ({
    label: { metric, kind: 'verdict', unit: 'percent', direction: 'higher' },
    ...(value === undefined ? {} : { value }),
  })),
})

test('scores of a model on a dataset are ordered by time, whatever the order of the runs; other metrics and missing scores are left out', () => {
  const runs = [
    run('2026-03', [
      ['m', 'sums'],
      ['m', 'art'],
    ]),
    run('2026-01', [['m', 'sums']]),
    run('2026-02', [
      ['m', 'sums'],
      ['k', 'art'],
    ]),
  ]
  const lines = [line([3, 'accuracy'], [undefined, 'accuracy']), line([1, 'accuracy']), line([2, 'f1'], [9, 'accuracy'])]
  const shown = (by: 'dataset' | 'model') =>
    trendLines({ runs }, lines, by).map(({ name, points }) => [name.dataset, name.model, ...points.map(({ value }) => value)])
  expect(shown('dataset')).toEqual([
    ['art', 'k', 9],
    ['sums', 'm', 1, 3],
  ])
  expect(shown('model')).toEqual([
    ['art', 'k', 9],
    ['sums', 'm', 1, 3],
  ])
  expect(trendLines({ runs }, [], 'dataset')).toEqual([])
})
