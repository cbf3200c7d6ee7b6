import { afterEach, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { type AddingServer, addingServer, recordsOf } from '../../../../../proof/testing/queued-run.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { totalsText } from '../../evaluation/run/record/cost.ts'
import type { EvaluationOptions } from './evaluation-options.ts'
import { runEvaluation } from './run-evaluation.ts'

const servers: AddingServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** Each request takes 5 prompt tokens and one generated: 1 USD. */
async function adder(model: object = {}) {
  const server = await addingServer(1)
  servers.push(server)
  const config = (prompt: string, rows: readonly number[], more: object = {}) => ({
    models: [
      {
        abbr: 'adder',
        type: 'openai',
        path: 'adder',
        base_url: server.url,
        format: 'messages',
        concurrency: 1,
        price: { input: 100_000, output: 500_000 },
        ...model,
      },
    ],
    datasets: [
      {
        abbr: 'sums',
        rows: rows.map((number) => ({ question: `${number}+1=?`, answer: `${number + 1}` })),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt }] } } },
        ...more,
      },
    ],
  })
  return { config, sent: () => server.seen.length }
}

const rowsUpTo = (end: number) => Array.from({ length: end }, (_, id) => id)
const plain = '{question}'
const cutReply = {
  json: { choices: [{ message: { content: '1' }, finish_reason: 'length' }], usage: { prompt_tokens: 5, completion_tokens: 1 } },
}

async function runIn(workDir: string, config: object, options: EvaluationOptions = {}) {
  return runEvaluation(config as never, { workDir, cache: false, reuse: 'latest', ...options })
}

test('rows with the same request are paid for once', async () => {
  const { config, sent } = await adder()
  const workDir = folderWith({})
  const { summary } = await runIn(workDir, config(plain, [7, 7, 7, 8]))
  expect(sent()).toBe(2)
  expect(summary.totals?.costs).toEqual([{ amount: 2, currency: 'USD' }])
  const rows = [7, 7, 7, 8, 9, 10, 11]
  const { reached } = await runIn(workDir, config(plain, rows), { maxCost: 4 })
  expect([sent(), reached?.spent.cost?.amount]).toEqual([4, 4])
})

test('limits count rows that failed and were sent again', async () => {
  const { config, sent } = await adder({ max_cost_per_row: 2, temperature: 1, seed: 1 })
  const workDir = folderWith({})
  const failing = config(plain, rowsUpTo(5), { n: 4 })
  await runIn(workDir, failing)
  expect(sent()).toBe(10)
  await runIn(workDir, failing, { retryErrors: true })
  expect(sent()).toBe(20)
  const { reached } = await runIn(workDir, failing, { retryErrors: true, maxCost: 24 })
  expect([sent(), reached?.spent.cost?.amount]).toEqual([24, 24])
})

test('a row whose third answer fails keeps the tokens of the first two', async () => {
  const server = await scriptedServer(({ number }) =>
    number % 3 === 2
      ? { status: 400, json: { error: { message: 'no' } } }
      : { json: { choices: [{ message: { content: '1' }, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 1 } } },
  )
  const { config } = await adder({ base_url: server.url, temperature: 1, seed: 1 })
  const { summary } = await runIn(folderWith({}), config(plain, rowsUpTo(4), { n: 5 }))
  await server.close()
  expect(summary.results[0]).toMatchObject({ failed: 4, tokens: { prompt: 40, reply: 8 }, costs: [{ amount: 8 }] })
})

test.each(['stopped', 'ended by an error of the server'])(
  'limits count the first answers of a row that was %s before its last',
  async (how) => {
    const stop = new AbortController()
    const server = await scriptedServer(({ number }) => {
      if (number === 5) return how === 'stopped' ? () => stop.abort() : { status: 401, text: '' }
      return {
        json: { choices: [{ message: { content: '1' }, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 1 } },
      }
    })
    const { config } = await adder({ base_url: server.url, temperature: 1, seed: 1 })
    const workDir = folderWith({})
    const several = config(plain, rowsUpTo(4), { n: 3 })
    const first = await runIn(workDir, several, { signal: stop.signal, maxCost: 100 }).catch((error: unknown) => error)
    expect(first).toMatchObject(how === 'stopped' ? { summary: { spent: { cost: { amount: 5 } } } } : { code: 'unauthorized' })
    const { reached } = await runIn(workDir, several, { maxCost: 11 })
    await server.close()
    expect([server.seen.length, reached?.spent.cost?.amount]).toEqual([12, 11])
  },
)

test('a run that ends before its first record keeps the cost of its first replies, and the mean of a row does not count them', async () => {
  const server = await scriptedServer(({ number }) =>
    number === 1
      ? { status: 401, text: '' }
      : { json: { choices: [{ message: { content: '1' }, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 1 } } },
  )
  const { config } = await adder({ base_url: server.url, temperature: 1, seed: 1 })
  const workDir = folderWith({})
  const several = config(plain, rowsUpTo(9), { n: 3 })
  await expect(runIn(workDir, several, { maxCost: 100 })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(server.seen).toHaveLength(2)
  // 1 USD is spent and a row costs 3: the second row does not fit into 6.
  const { reached, summary } = await runIn(workDir, several, { maxCost: 6 })
  await server.close()
  expect([server.seen.length, reached?.spent.cost?.amount]).toEqual([5, 4])
  expect(summary.spent?.tokens).toBe(24)
})

test('a second attempt at a cut answer that fails midway keeps the tokens of its replies', async () => {
  const server = await scriptedServer(({ number }) =>
    number % 4 === 3
      ? { status: 400, json: { error: { message: 'no' } } }
      : { json: { choices: [{ message: { content: '1' }, finish_reason: 'length' }], usage: { prompt_tokens: 5, completion_tokens: 1 } } },
  )
  const { config } = await adder({ base_url: server.url, temperature: 1, seed: 1, max_out_len: 1 })
  const { summary } = await runIn(folderWith({}), config(plain, rowsUpTo(2), { n: 2 }), { retryCut: 2 })
  await server.close()
  // Each row: two replies, then one and an error.
  expect(server.seen).toHaveLength(8)
  expect(summary.results[0]).toMatchObject({ failed: 0, tokens: { prompt: 30, reply: 6 }, costs: [{ amount: 6 }] })
})

test('a second attempt at a cut answer that is stopped midway keeps the tokens of its replies', async () => {
  const stop = new AbortController()
  const server = await scriptedServer(({ number }) => (number === 3 ? () => stop.abort() : cutReply))
  const { config } = await adder({ base_url: server.url, temperature: 1, seed: 1, max_out_len: 1 })
  const workDir = folderWith({})
  await runIn(workDir, config(plain, rowsUpTo(1), { n: 2 }), { retryCut: 2, signal: stop.signal })
  await server.close()
  // Two replies, then one.
  expect(JSON.parse(recordsOf(workDir))).toMatchObject({ finish: 'length', tokens: { prompt: 15, reply: 3 } })
})

test('limits count the second attempt at a cut answer that an error of the server ended', async () => {
  const server = await scriptedServer(({ number }) => (number === 3 ? { status: 401, text: '' } : cutReply))
  const { config } = await adder({ base_url: server.url, temperature: 1, seed: 1, max_out_len: 1 })
  const workDir = folderWith({})
  const several = config(plain, rowsUpTo(2), { n: 2 })
  await expect(runIn(workDir, several, { retryCut: 2, maxCost: 100 })).rejects.toMatchObject({ code: 'unauthorized' })
  // 3 USD are spent; the first row takes 4 with both attempts, and the second is not sent.
  const { reached } = await runIn(workDir, several, { retryCut: 2, maxCost: 4 })
  await server.close()
  expect([server.seen.length, reached?.spent.cost?.amount]).toEqual([8, 7])
})

test('the cost of tokens that a server does not report is unknown, not 0', async () => {
  const server = await scriptedServer(() => ({ json: { choices: [{ message: { content: '1' }, finish_reason: 'stop' }] } }))
  const { config } = await adder({ base_url: server.url })
  const { summary } = await runIn(folderWith({}), config(plain, rowsUpTo(2)))
  await server.close()
  expect(summary.totals).not.toHaveProperty('costs')
  expect(summary.results[0]).toMatchObject({ unpriced: ['adder'], tokens: { unreported: 2 } })
  expect(totalsText(summary.totals!)).toBe('tokens not reported by the server; cost unknown')
})

test('limits count answers of an earlier config, whether all rows were sent again or only some', async () => {
  const { config, sent } = await adder()
  const workDir = folderWith({})
  await runIn(workDir, config(plain, rowsUpTo(6)))
  await runIn(workDir, config(`${plain} Add.`, rowsUpTo(6)), { maxCost: 9 })
  expect(sent()).toBe(9)
  const last = await runIn(workDir, config(`${plain} Add.`, rowsUpTo(6)), { maxCost: 14 })
  expect([sent(), last.unfinished]).toEqual([12, 0])
  const { reached } = await runIn(workDir, config(`${plain} Sum.`, rowsUpTo(6)))
  expect([sent(), reached?.spent.cost?.amount]).toEqual([14, 14])
})

test('limits count the first question to a judge that was stopped before the second', async () => {
  const { config, sent } = await adder({ temperature: 1, seed: 1 })
  const { models, datasets } = config(plain, [7], { n: 2 })
  const judged = (words: string) => {
    const template = { round: [{ role: 'HUMAN', prompt: `1+1, ${words} {prediction}?` }] }
    const evaluator = { type: 'GenericLLMEvaluator', prompt_template: { template }, judge_cfg: { ...models[0]!, abbr: 'judge' } }
    return { models, datasets: [{ ...datasets[0]!, eval_cfg: { evaluator } }] }
  }
  const workDir = folderWith({})
  await runIn(workDir, judged('or'))
  expect(sent()).toBe(4)
  for (const maxCost of [5, 6]) {
    const { reached } = await runIn(workDir, judged('and'), { maxCost })
    expect([sent(), reached?.spent.cost?.amount]).toEqual([maxCost, maxCost])
  }
})

test('limits count the judge that another one replaced', async () => {
  const { config, sent } = await adder()
  const judged = (words: string) => {
    const { models, datasets } = config(plain, rowsUpTo(4))
    const template = { round: [{ role: 'HUMAN', prompt: `1+1, ${words} {prediction}?` }] }
    const evaluator = { type: 'GenericLLMEvaluator', prompt_template: { template }, judge_cfg: { ...models[0]!, abbr: 'judge' } }
    return { models, datasets: [{ ...datasets[0]!, eval_cfg: { evaluator } }] }
  }
  const workDir = folderWith({})
  await runIn(workDir, judged('or'))
  await runIn(workDir, judged('and'))
  expect(sent()).toBe(12)
  const { reached } = await runIn(workDir, judged('not'), { maxCost: 14 })
  expect([sent(), reached?.spent.cost?.amount]).toEqual([14, 14])
})

test('rows that moved in the dataset are not sent again, and count once', async () => {
  const { config, sent } = await adder()
  const workDir = folderWith({})
  await runIn(workDir, config(plain, rowsUpTo(6)))
  await runIn(workDir, config(plain, [9, ...rowsUpTo(6)]))
  expect(sent()).toBe(7)
  const { reached } = await runIn(workDir, config(plain, [9, ...rowsUpTo(6), 10, 11, 12]), { maxCost: 9 })
  expect([sent(), reached?.spent.cost?.amount]).toEqual([9, 9])
})
