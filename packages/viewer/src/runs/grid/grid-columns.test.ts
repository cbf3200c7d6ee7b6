import { expect, test } from 'vitest'
import type { Axes } from '../../../../rolecall/src/evaluation/config/axes.ts'
import { columnsOf, datasetsOf } from './grid-columns.ts'

const pair = (model: string, dataset: string, format?: string) => ({ model, format, dataset, modelIndex: 0, datasetIndex: 0 })
const run = (name: string, pairs: ReturnType<typeof pair>[]) => ({ name, started: '', folder: 'f', place: '', config: 0, pairs })
const site = {
  runs: [
    run('prompts', [pair('tiny', 'sums-plain'), pair('tiny', 'sums-careful'), pair('large', 'sums-plain')]),
    run('formats', [pair('tiny', 'sums'), pair('tiny', 'sums', 'chatml'), pair('tiny', 'poems', 'chatml')]),
  ],
}
const withAxes = (...all: readonly Axes[]) => ({ pairs: all.map((axes) => ({ result: { axes } })) })

test('prompts of one dataset are columns beside each other, on the same rows', () => {
  const plain = { data: 'sums', prompt: 'plain' }
  const columns = columnsOf(site, [{ run: 0 }], new Map([[0, withAxes(plain, { data: 'sums', prompt: 'careful' }, plain)]]))
  expect(columns.map(({ letter, title, about }) => [letter, title, about])).toEqual([
    ['A', 'tiny', 'plain'],
    ['B', 'tiny', 'careful'],
    ['C', 'large', 'plain'],
  ])
  expect(columns[1]!.names).toEqual(['tiny', 'careful', 'prompts'])
  expect(datasetsOf(columns)).toEqual(['sums'])
  expect(columns.map(({ pairs }) => pairs.get('sums'))).toEqual([0, 1, 2])
  // A dataset is found by its name in the config, too.
  expect(datasetsOf(columns, 'sums-careful')).toEqual(['sums'])
})

test('formats are columns, with a part for each dataset; columns of several runs name their run', () => {
  const columns = columnsOf(site, [{ run: 1 }, { run: 0, model: 1 }], new Map())
  expect(columns.map(({ title, about, path }) => [title, about, path])).toEqual([
    ['tiny', 'formats/f', '1.0'],
    ['tiny', 'chatml · formats/f', '1.1'],
    ['large', 'prompts/f', '0.1'],
  ])
  expect(datasetsOf(columns)).toEqual(['sums', 'poems', 'sums-plain'])
  expect(columnsOf(site, [{ run: 1, pair: 2 }], new Map()).map(({ pairs }) => [...pairs])).toEqual([[['poems', 2]]])
})
