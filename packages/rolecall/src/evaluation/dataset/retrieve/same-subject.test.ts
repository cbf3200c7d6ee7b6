import { expect, test } from 'vitest'
import { chooseExamples } from './choose-examples.ts'

const config = (more = {}) => ({
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: { retriever: { type: 'XiezhiRetriever', ice_num: 3 } },
  ...more,
})
const rows = [
  { q: 'one', a: '1', labels: ['plants'] },
  { q: 'two', a: '2', labels: ['roses', 'plants'] },
  { q: 'three', a: '3', labels: ['stones'] },
]

test('XiezhiRetriever shows rows of the most specific subject first, one of two subjects twice, as OpenCompass does', async () => {
  const { examplesFor } = await chooseExamples(config(), rows)
  const asked = { q: 'x', a: '', labels: ['roses', 'plants'] }
  expect((await examplesFor(asked, 0)).map((row) => (row as { q: string }).q)).toEqual(['two', 'one', 'two'])
})

test('a subject missing from the example pool leaves fewer examples, with a note; a row is not its own example', async () => {
  const { examplesFor, notes } = await chooseExamples(config(), rows)
  expect(await examplesFor({ q: 'x', a: '', labels: ['stars', 'stones'] }, 0)).toEqual([rows[2]])
  expect(await examplesFor(rows[2]!, 1)).toEqual([])
  expect(notes()).toMatchObject([{ code: 'fewer-examples', rows: 2 }])
})

test('rows without subjects are an error', async () => {
  await expect(chooseExamples(config(), [{ q: 'x', a: 'y' }])).rejects.toThrow('a row has no list "labels"')
})
