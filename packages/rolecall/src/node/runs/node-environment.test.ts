import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { compactJson, dictGet } from '../../../../core/src/base/python/index.ts'
import type { Row } from '../../../../core/src/prompt/conversation/row.ts'
import { rowsOf } from '../../cli/render/dataset-rows.ts'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { oneByOne } from '../../evaluation/dataset/chunks.ts'
import { ownExample } from '../../evaluation/dataset/same-question.ts'
import { nodeEnvironment } from './node-environment.ts'

test('example rows are read and embedded once for all models', async () => {
  let embedded = 0
  const dataset: DatasetConfig = {
    rows: [{ q: 'capital of France' }],
    train_rows: [{ q: 'capital of Italy' }, { q: '1+1' }],
    infer_cfg: {
      ice_template: { template: '{q}' },
      retriever: {
        type: 'TopkRetriever',
        embeddings: async (texts) => {
          embedded += texts.length
          return texts.map((text) => [text.includes('capital') ? 1 : 0, 1])
        },
      },
    },
  }
  const environment = nodeEnvironment('.')
  const opened = [await environment.openRows(dataset), await environment.openRows(dataset)]
  expect(embedded).toBe(2)
  for (const { rows, examplesFor } of opened) {
    for await (const row of oneByOne(rows)) expect(await examplesFor(row, 0)).toEqual([{ q: 'capital of Italy' }])
  }
})

test('the number of rows is known from any reading to the end, not from one that stops early', async () => {
  const folder = folderWith({ 'rows.jsonl': '{"q":"a"}\n{"q":"b"}\n{"q":"c"}\n' })
  const dataset: DatasetConfig = { path: 'rows.jsonl', infer_cfg: { prompt_template: { template: '{q}' } } }
  for (const readsAll of [true, false]) {
    const environment = nodeEnvironment(folder)
    for await (const _ of oneByOne(environment.testRows!(dataset))) if (!readsAll) break
    expect((await environment.openRows(dataset)).total).toBe(3)
  }
})

test('a file is read once, unless only a part of its rows is used, bad rows are skipped, or a function may change them', async () => {
  const dataset: DatasetConfig = { path: 'rows.jsonl', infer_cfg: { prompt_template: { template: '{q}' } } }
  const others: Partial<DatasetConfig>[] = [
    { reader_cfg: { test_range: '[:1]' } },
    { map_columns: { q: 'question' } },
    { media_columns: ['image'] },
    { on_bad_row: 'skip' },
    { eval_cfg: { evaluator: { type: 'AccEvaluator', pred_postprocessor: (text: string) => text } } as DatasetConfig['eval_cfg'] },
  ]
  const seen: unknown[] = []
  for (const other of [{}, ...others]) {
    const folder = folderWith({ 'rows.jsonl': '{"q":"before","question":"before","image":""}\n' })
    const environment = nodeEnvironment(folder)
    const used = { ...dataset, ...other }
    for await (const _ of oneByOne(environment.testRows!(used)));
    writeFileSync(join(folder, 'rows.jsonl'), '{"q":"after","question":"after","image":""}\n')
    for await (const row of oneByOne((await environment.openRows(used)).rows)) seen.push(dictGet(row, 'q'))
  }
  expect(seen).toEqual(['before', ...others.map(() => 'after')])
})

test('a retriever that needs more rows than there are is refused before anything is embedded', async () => {
  const dataset = (rows: number, type: string): DatasetConfig => ({
    abbr: 'd',
    rows: Array.from({ length: rows }, (_, q) => ({ q })),
    infer_cfg: {
      ice_template: { template: '{q}' },
      retriever: { type, ice_num: 3, embeddings: async () => Promise.reject(new Error('asked')) },
    },
  })
  const first = (rows: number, type: string) => nodeEnvironment('.').firstRows!(dataset(rows, type))
  await expect(first(2, 'MDLRetriever')).rejects.toThrow('3 examples are wanted from 2 rows')
  for (const [rows, type] of [
    [3, 'MDLRetriever'],
    [2, 'TopkRetriever'],
  ] as const)
    expect((await first(rows, type)).asked).toHaveLength(rows)
})

test('a run reports rows with fewer examples than requested', async () => {
  const dataset: DatasetConfig = {
    rows: [{ q: 'cat' }, { q: 'dog' }],
    train_rows: [{ q: 'cat', split: 'train' }],
    reader_cfg: { input_columns: ['q'] },
    infer_cfg: { retriever: { type: 'BM25Retriever', ice_num: 1 } },
  }
  const { rows, examplesFor, notes, overlap } = await nodeEnvironment('.').openRows(dataset)
  let number = 0
  for await (const row of oneByOne(rows)) await examplesFor(row, number++)
  expect(notes?.()).toMatchObject([{ code: 'fewer-examples', rows: 1 }])
  expect(overlap?.()).toBe(1)
})

describe('a row that is also an example in another file', () => {
  const folder = folderWith({
    'test.jsonl': '{"q":"a","n":true}\n{"q":"b","n":2}\n{"q":"c","n":3}\n',
    'train.jsonl': '{"q":"a","n":1.0}\n{"n":2,"q":"b"}\n{"q":"c","n":3,"split":"train"}\n',
  })
  const files = { path: 'test.jsonl', train_path: 'train.jsonl' }
  const shown = { ice_template: { template: '{q}' }, retriever: { type: 'FixKRetriever', fix_id_list: [0, 1, 2] } }
  const all: DatasetConfig = { ...files, infer_cfg: shown }
  const declared: DatasetConfig = { ...all, reader_cfg: { input_columns: ['q'], output_column: 'n' } }

  test.for([
    ['with all columns, where none are named', all, [-1, 1, -1]],
    ['with the columns that are named', declared, [-1, 1, 2]],
  ] as const)('is noticed %s, and asked as it is written', async ([, dataset, expected]) => {
    const { rows, examplesFor } = await nodeEnvironment(folder).openRows(dataset)
    const asked: Row[] = []
    const own: number[] = []
    for await (const row of oneByOne(rows)) {
      own.push(ownExample(row, await examplesFor(row, asked.length), dataset.reader_cfg))
      asked.push(row)
    }
    expect(asked.map(compactJson)).toEqual(['{"q":"a","n":true}', '{"q":"b","n":2}', '{"q":"c","n":3}'])
    expect(own).toEqual(expected)
    const looked = await rowsOf(dataset, [0, 1, 2], folder)
    expect([...looked.rows.values()]).toEqual(asked)
    expect([...looked.rows].map(([number, row]) => ownExample(row, looked.examplesOf(number), dataset.reader_cfg))).toEqual(expected)
  })
})
