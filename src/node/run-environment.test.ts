import { expect, test } from 'vitest'
import type { DatasetConfig } from '../config/config-schema.ts'
import { oneByOne } from '../dataset/stretches.ts'
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
