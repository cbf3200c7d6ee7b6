import { expect, test } from 'vitest'
import type { Row } from '../../../../core/src/prompt/conversation/row.ts'
import { oneByOne } from '../../evaluation/dataset/chunks.ts'
import { RowMemory } from './row-memory.ts'

async function* chunksOf(...chunks: Row[][]) {
  yield* chunks
}

async function all(rows: AsyncIterable<Iterable<Row>> | undefined): Promise<Row[] | undefined> {
  if (!rows) return undefined
  const found: Row[] = []
  for await (const row of oneByOne(rows)) found.push(row)
  return found
}

test('rows that fit are kept once they have all been read, and can be read again and again', async () => {
  const kept = new RowMemory()
  const dataset = {}
  const rows = [[{ q: 'a' }, { q: 'b' }], [{ q: 'c' }]]
  expect(kept.of(dataset)).toBeUndefined()
  expect(await all(kept.keep(dataset, chunksOf(...rows)))).toEqual(rows.flat())
  for (let time = 0; time < 2; time++) expect(await all(kept.of(dataset))).toEqual(rows.flat())
})

test('rows are not kept if reading stops early', async () => {
  const kept = new RowMemory()
  const dataset = {}
  for await (const _ of kept.keep(dataset, chunksOf([{ q: 'a' }], [{ q: 'b' }]))) break
  expect(kept.of(dataset)).toBeUndefined()
})

test('rows of all datasets together stay within the limit, nested texts included', async () => {
  const kept = new RowMemory(1000)
  const [small, large, other] = [{}, {}, {}]
  const text = 'x'.repeat(600)
  await all(kept.keep(small, chunksOf([{ q: text }])))
  expect(await all(kept.keep(large, chunksOf([{ q: 'a' }], [{ q: [{ text }] }], [{ q: 'b' }])))).toHaveLength(3)
  await all(kept.keep(other, chunksOf([{ q: 'a' }])))
  expect([small, large, other].map((dataset) => kept.of(dataset) !== undefined)).toEqual([true, false, true])
})
