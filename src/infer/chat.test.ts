import { describe, expect, test } from 'vitest'
import { dryRun } from '../cli/run/dry-run.ts'
import { compilePrompt } from '../compile-prompt.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { promptText } from '../format/prompt-text.ts'
import { runEnvironment } from '../node/run-environment.ts'
import type { RowRecord } from '../report/run-record.ts'
import { planRun, runPairs } from '../run.ts'

const model: ModelConfig = {
  abbr: 'm',
  type: 'openai',
  path: 'm',
  meta_template: {
    round: [
      { role: 'HUMAN', begin: '<H>', end: '\n' },
      { role: 'BOT', begin: '<B>', end: '\n', generate: true },
    ],
  },
}

const dataset = (more: Partial<DatasetConfig>, infer_mode?: 'last' | 'every' | 'every_with_gt'): DatasetConfig => ({
  abbr: 'chats',
  infer_cfg: { prompt_template: { template: '' }, inferencer: { type: 'ChatInferencer', ...(infer_mode ? { infer_mode } : {}) } },
  ...more,
})

/** A model that numbers its replies, and what it was asked. */
async function run(given: DatasetConfig) {
  const prompts: string[] = []
  const records: RowRecord[] = []
  const environment = {
    ...runEnvironment('.'),
    openModel: async () => ({
      name: 'm',
      async generate(prompt: Parameters<typeof promptText>[0]) {
        prompts.push(promptText(prompt))
        return { text: `r${prompts.length}`, finish: 'stop' as const, tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
      },
    }),
  }
  for await (const event of runPairs(planRun([model], [given]), environment, {})) if (event.kind === 'row') records.push(event.record)
  return { prompts, records }
}

const dialogue = [
  { role: 'user', content: 'a' },
  { role: 'assistant', content: 'A' },
  { role: 'user', content: 'b' },
  { role: 'assistant', content: 'B' },
]
const rows = [{ dialogue, topic: 'letters' }]
const reader_cfg = { input_columns: ['dialogue'] }

describe('a row that is a chat', () => {
  test('is asked for its last answer', async () => {
    const { prompts, records } = await run(dataset({ rows, reader_cfg }))
    expect(prompts).toEqual(['<H>a\n<B>A\n<H>b\n<B>'])
    expect(records[0]).toMatchObject({ prediction: 'r1' })
  })

  test('is asked for every answer, going on from what the model said', async () => {
    const { prompts, records } = await run(dataset({ rows, reader_cfg }, 'every'))
    expect(prompts).toEqual(['<H>a\n<B>', '<H>a\n<B>r1\n<H>b\n<B>'])
    expect(records[0]).toMatchObject({ prediction: ['r1', 'r2'], tokens: { prompt: 6, reply: 2 } })
  })

  test('is asked for every answer, going on from what is written', async () => {
    const { prompts } = await run(dataset({ rows, reader_cfg }, 'every_with_gt'))
    expect(prompts).toEqual(['<H>a\n<B>', '<H>a\n<B>A\n<H>b\n<B>'])
  })

  test('is found in the column "dialogue" among several', async () => {
    const { prompts } = await run(dataset({ rows, reader_cfg: { input_columns: ['topic', 'dialogue'] } }))
    expect(prompts).toEqual(['<H>a\n<B>A\n<H>b\n<B>'])
  })
})

describe('a row of lists', () => {
  const lists = [{ question: ['1+1=?', '2+2=?'], answer: ['2', '4'] }]
  const asks = { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question}' }] } } }
  const given = (infer_mode: 'last' | 'every' | 'every_with_gt') => ({
    ...dataset({ rows: lists, reader_cfg: { input_columns: ['question'], output_column: 'answer' } }),
    infer_cfg: { ...asks, inferencer: { type: 'ChatInferencer', infer_mode } },
  })

  test('is one round for each entry, each but the last with its answer', async () => {
    expect((await run(given('last'))).prompts).toEqual(['<H>Q: 1+1=?\n<B>2\n<H>Q: 2+2=?\n<B>'])
    expect((await run(given('every'))).prompts).toEqual(['<H>Q: 1+1=?\n<B>', '<H>Q: 1+1=?\n<B>r1\n<H>Q: 2+2=?\n<B>'])
  })

  test('is compared as a list', async () => {
    const { records } = await run(given('every'))
    expect(records[0]).toMatchObject({ gold: ['2', '4'], prediction: ['r1', 'r2'], score: 0 })
  })
})

test('a template is a chat turn by turn, and the answer column stays hidden', () => {
  const { prompt } = compilePrompt(model, {
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: {
        template: {
          round: [
            { role: 'HUMAN', prompt: '{question} ({answer})' },
            { role: 'BOT', prompt: 'Hm.' },
            { role: 'HUMAN', prompt: 'Well?' },
            { role: 'BOT', prompt: '{answer}' },
          ],
        },
      },
      inferencer: { type: 'ChatInferencer' },
    },
  }).render({ row: { question: '1+1=?', answer: '2' }, mode: 'gen' })
  expect(promptText(prompt)).toBe('<H>1+1=? ()\n<B>Hm.\n<H>Well?\n<B>')
})

test('a dry run counts every answer of every row', async () => {
  const greedy: ModelConfig = { abbr: 'm', format: 'plain', max_out_len: 8 }
  const count = async (given: DatasetConfig, config = greedy) =>
    (await dryRun(planRun([config], [given]), runEnvironment('.'), '.', Number.POSITIVE_INFINITY))[0]!.mostGenerated
  expect(await count(dataset({ rows, reader_cfg }))).toBe(8)
  expect(await count(dataset({ rows, reader_cfg }, 'every'))).toBe(16)
  expect(await count(dataset({ rows, reader_cfg, n: 3 }), { ...greedy, temperature: 1 })).toBe(24)
})

test('several answers for every turn are refused', async () => {
  const given = dataset({ rows, reader_cfg, n: 2 }, 'every')
  const { records } = await runWith({ ...model, temperature: 1 }, given)
  expect(records[0]!.error).toContain('with infer_mode every an answer is a list already')
})

async function runWith(config: ModelConfig, given: DatasetConfig) {
  const records: RowRecord[] = []
  const environment = { ...runEnvironment('.'), openModel: async () => ({ name: 'm' }) as never }
  for await (const event of runPairs(planRun([config], [given]), environment, {})) if (event.kind === 'row') records.push(event.record)
  return { records }
}
