import { describe, expect, test } from 'vitest'
import { folderWith } from '../../testing/folder-with.ts'
import { rowsOf } from '../cli/render/dataset-rows.ts'
import type { DatasetConfig } from '../config/config-schema.ts'
import { oneByOne } from '../dataset/stretches.ts'
import { compactJson } from '../python/index.ts'
import { runEnvironment } from './run-environment.ts'

test('the rows for examples are read and embedded once, however many models are asked', async () => {
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
  const environment = runEnvironment('.')
  const opened = [await environment.openRows(dataset), await environment.openRows(dataset)]
  expect(embedded).toBe(2)
  for (const { rows, examplesFor } of opened) {
    for await (const row of oneByOne(rows)) expect(await examplesFor(row, 0)).toEqual([{ q: 'capital of Italy' }])
  }
})

describe('a row that equals an example in another file', () => {
  const folder = folderWith({
    'test.jsonl': '{"q":"a","n":true}\n{"q":"b","n":2}\n{"q":"c","n":3}\n',
    'train.jsonl': '{"q":"a","n":1.0}\n{"n":2,"q":"b"}\n{"q":"c","n":3}\n',
  })
  const dataset: DatasetConfig = {
    path: 'test.jsonl',
    train_path: 'train.jsonl',
    infer_cfg: { ice_template: { template: '{q}' }, retriever: { type: 'FixKRetriever', fix_id_list: [0, 1, 2] } },
  }

  test('is asked as it is written, whatever Python takes for equal, when it is run', async () => {
    const { rows, examplesFor } = await runEnvironment(folder).openRows(dataset)
    const asked: string[] = []
    const same: boolean[] = []
    for await (const row of oneByOne(rows)) {
      asked.push(compactJson(row))
      same.push((await examplesFor(row, asked.length - 1)).includes(row))
    }
    expect(asked).toEqual(['{"q":"a","n":true}', '{"q":"b","n":2}', '{"q":"c","n":3}'])
    expect(same).toEqual([false, false, true])
  })

  test('and when it is looked at', async () => {
    const { rows, examplesOf } = await rowsOf(dataset, [0, 1, 2], folder)
    expect([...rows.values()].map(compactJson)).toEqual(['{"q":"a","n":true}', '{"q":"b","n":2}', '{"q":"c","n":3}'])
    expect([...rows].map(([number, row]) => examplesOf(number).includes(row))).toEqual([false, false, true])
  })
})
