import { expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { type RowPair, withoutExcluded } from '../../../evaluation/run/record/compare-rows.ts'
import { AnnotationFile } from './annotation-file.ts'
import { excludedRows } from './excluded-rows.ts'

test('a row that is excluded for one model is excluded for all, until it counts again', async () => {
  const folder = folderWith({})
  const file = new AnnotationFile(folder)
  const pairs = [
    { model: 'a', dataset: 'd' },
    { model: 'b', format: 'chatml', dataset: 'd' },
    { model: 'a', dataset: 'other' },
  ]
  const line = { at: '2026-01-01T00:00:00.000Z', answer_hash: 'x' }
  await file.append({ ...line, ...pairs[0]!, row: 1, row_hash: 'one', excluded: 'wrong expected answer' })
  await file.append({ ...line, ...pairs[1]!, row: 2, row_hash: 'two', excluded: 'duplicate', star: true })
  await file.append({ ...line, ...pairs[2]!, row: 1, row_hash: 'three', excluded: 'duplicate' })
  await file.append({ ...line, ...pairs[0]!, row: 4, row_hash: 'four', note: 'not excluded' })
  expect([...excludedRows({ folder, pairs }, 'd')]).toEqual([
    ['one', new Set([1])],
    ['two', new Set([2])],
  ])
  await file.append({ ...line, ...pairs[0]!, row: 1, row_hash: 'one' })
  expect([...excludedRows({ folder, pairs }, 'd').keys()]).toEqual(['two'])
})

test('the original of an excluded duplicate counts; rows that have other numbers by now are all excluded', () => {
  const mark = (id: number) => ({ id, prompt: '', answer: undefined, score: 1 })
  const pair = (id: number) => ({ rowHash: 'same', first: mark(id), second: mark(id), differs: [] }) as unknown as RowPair
  const paired = { pairs: [pair(3), pair(7)], onlyInFirst: 0, onlyInSecond: 0 }
  const left = (row: number) => withoutExcluded(paired, [new Map([['same', new Set([row])]]), new Map()]).pairs.map(({ first }) => first.id)
  expect([left(7), left(99)]).toEqual([[3], []])
})
