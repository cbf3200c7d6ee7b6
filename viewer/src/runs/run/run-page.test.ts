import { expect, test } from 'vitest'
import type { RunStatus } from '../../../../src/app/server/viewer/viewer-data.ts'
import type { Remark } from '../../../../src/evaluation/run/record/remarks.ts'
import { axisOf } from '../figure-text.ts'
import { formatLines } from './format-lines.ts'
import { remarkGroups, rowsOf } from './remark-rows.ts'

const figure = (direction: 'higher' | 'lower', unit = 'percent') => ({ metric: 'm', kind: 'verdict' as const, unit, direction })

test('formats are compared if one model has several on a dataset: the best first, the largest differences first', () => {
  const names = [
    ['small', 'sums', 'chatml', 50],
    ['small', 'sums', 'plain', 55],
    ['small', 'facts', 'chatml', 80],
    ['small', 'facts', 'plain', 20],
    ['large', 'sums', undefined, 90],
  ] as const
  const pairs = names.map(([model, dataset, format]) => ({ model, dataset, format, modelIndex: 0, datasetIndex: 0 }))
  const state = (direction: 'higher' | 'lower'): Pick<RunStatus, 'pairs'> => ({
    pairs: names.map(([, , , mean]) => ({ rows: 1, figure: figure(direction), mean })),
  })
  const shown = (direction: 'higher' | 'lower') =>
    formatLines({ pairs }, state(direction)).map(({ dataset, points }) => [dataset, ...points.map(({ format }) => format)])
  expect(shown('higher')).toEqual([
    ['facts', 'chatml', 'plain'],
    ['sums', 'plain', 'chatml'],
  ])
  expect(shown('lower')).toEqual([
    ['facts', 'plain', 'chatml'],
    ['sums', 'chatml', 'plain'],
  ])
})

test('remarks of one kind are grouped, the most important first, and link to their rows', () => {
  const remarks: Remark[] = [
    { kind: 'cached', text: '', rows: 1 },
    { kind: 'note', text: 'a', code: 'look-alike', rows: 1 },
    { kind: 'cut', text: '', rows: 1 },
    { kind: 'note', text: 'b', code: 'look-alike', rows: 1 },
    { kind: 'failed', text: '', rows: 1 },
  ]
  const groups = remarkGroups(remarks.map((remark) => ({ remark })))
  expect(groups.map(({ kind, about }) => [kind, about.length])).toEqual([
    ['failed', 1],
    ['cut', 1],
    ['note', 2],
    ['cached', 1],
  ])
  const answers = { answered: 1, notFound: 0, cut: 0, refused: 0, empty: 0, notDecided: 1, failed: 0 }
  expect(remarks.map((remark) => rowsOf(remark, { answers }))).toEqual([
    {},
    { note: 'look-alike' },
    { show: 'limit' },
    { note: 'look-alike' },
    { show: 'not-decided' },
  ])
})

test('the axis of a plot covers the full range, or the range of the metrics with a margin', () => {
  expect(axisOf({ unit: 'percent' }, [40, 60])).toEqual([0, 100])
  expect(axisOf({ unit: 'nats per token', range: [0, null] }, [1, 2])).toEqual([0.8, 2.2])
  expect(axisOf({ unit: 'x', range: [0, null] }, [0.1, 2])).toEqual([0, 2.38])
  expect(axisOf({ unit: 'x' }, [3])).toEqual([2.7, 3.3])
})
