import { expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { nodeEnvironment } from '../../../node/runs/node-environment.ts'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { planRun, runPairs } from '../../run/run-pairs.ts'
import { QuestionEmbedder } from './question-embedder.ts'

const embedding = (text: string) => [text.length, text.charCodeAt(0), 1]

test('announced questions are embedded together, each once', async () => {
  const requests: (readonly string[])[] = []
  const questions = new QuestionEmbedder(async (texts) => {
    requests.push(texts)
    return texts.map(embedding)
  })
  questions.foresee(['a', 'bb', 'a', 'ccc'])
  expect(await Promise.all(['a', 'ccc', 'bb', 'other'].map((text) => questions.vectorOf(text)))).toEqual(
    ['a', 'ccc', 'bb', 'other'].map(embedding),
  )
  expect(requests).toEqual([['a', 'bb', 'ccc'], ['other']])
})

test('a failed request is reported to its callers, and sent again by the next one', async () => {
  let fails = true
  const questions = new QuestionEmbedder(async (texts) => {
    if (fails) throw new Error('gone')
    return texts.map(embedding)
  })
  questions.foresee(['a', 'b'])
  await expect(questions.vectorOf('a')).rejects.toThrow('gone')
  fails = false
  expect(await questions.vectorOf('b')).toEqual(embedding('b'))
})

async function run(type: string) {
  const requests: number[] = []
  const prepared: string[] = []
  const dataset = {
    abbr: 'd',
    rows: Array.from({ length: 150 }, (_, id) => ({ q: `question ${id}`, a: '1' })),
    train_rows: Array.from({ length: 90 }, (_, id) => ({ q: `row ${id} ${'x'.repeat(id % 7)}`, a: '2' })),
    reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: {
      ice_template: { template: '{q}' },
      prompt_template: { template: '</E>{q}', ice_token: '</E>' },
      retriever: {
        type,
        ice_num: 2,
        embeddings: async (texts: readonly string[]) => {
          requests.push(texts.length)
          return texts.map(embedding)
        },
      },
    },
  } as unknown as DatasetConfig
  const environment = {
    ...nodeEnvironment(folderWith({})),
    openModel: async () => ({
      name: 'm',
      generate: async () => ({ text: '', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 0 }, notes: [] }),
    }),
  }
  let rows = 0
  for await (const event of runPairs(planRun([{ abbr: 'm', type: 'embedded', format: 'plain' }], [dataset]), environment)) {
    if (event.kind === 'prepare') prepared.push(event.what)
    if (event.kind === 'row' && event.record.error === undefined) rows++
  }
  return { requests, prepared, rows }
}

test('a run with TopkRetriever embeds rows once and 64 questions at a time, and reports progress', async () => {
  expect(await run('TopkRetriever')).toEqual({ requests: [90, 64, 64, 22], prepared: ['embedding rows'], rows: 150 })
})

test('VotekRetriever shows the same rows to every question, and embeds none', async () => {
  const { requests, prepared, rows } = await run('VotekRetriever')
  expect({ requests, rows }).toEqual({ requests: [90], rows: 150 })
  expect(prepared[0]).toBe('embedding rows')
  expect(prepared).toContain('comparing rows')
})
