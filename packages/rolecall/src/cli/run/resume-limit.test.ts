import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sumsFolder } from '../../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { planRun } from '../../evaluation/run/plan-run.ts'
import { PaidRows, sufficientLimit } from './resume-limit.ts'

const model = (abbr: string, price: number) => ({
  abbr,
  type: 'openai',
  path: abbr,
  base_url: 'http://127.0.0.1:9/v1',
  format: 'messages',
  price: { input: price, output: price },
})
const dataset = {
  abbr: 'sums',
  rows: [{ q: '1+1', a: '2' }],
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } } },
}

function paid(rows: number, prompt: number, reply: number, price: number): PaidRows {
  return Object.assign(new PaidRows(), { rows, prompt, reply, cost: ((prompt + reply) * price) / 1e6 })
}

test('the limit for all rows has a fifth to spare, by what the rows of each model took', () => {
  const [cheap, dear] = planRun([model('cheap', 1), model('dear', 10)], [dataset])
  if (!cheap || !dear) throw new Error('two pairs')
  const spent = { tokens: 2000, seconds: 1, cost: { amount: 0.0011, currency: 'USD' } }
  const reached = { limit: 'max-cost', value: 0.001, spent } as const
  const first = { pair: cheap, done: 100, total: 100, paid: paid(100, 500, 500, 1) }
  // 0.0011 spent, and 90 rows of 0.0001 each.
  expect(sufficientLimit(reached, [first, { pair: dear, done: 10, total: 100, paid: paid(10, 50, 50, 10) }])).toBe(0.013)
  // Nothing of the dear model is known but its price: its replies may be twice as long.
  expect(sufficientLimit(reached, [first, { pair: dear, done: 0, total: undefined, paid: new PaidRows() }])).toBe(0.02)
  expect(sufficientLimit({ ...reached, limit: 'max-tokens-total', value: 2000 }, [first])).toBe(2400)
  expect(sufficientLimit({ ...reached, limit: 'max-time', value: 1 }, [first])).toBe(undefined)
})

test('rows of which nothing is known have no limit that is known to suffice', () => {
  const [one, other] = planRun([model('one', 1)], [dataset, { ...dataset, abbr: 'products' }])
  if (!one || !other) throw new Error('two pairs')
  const reached = { limit: 'max-cost', value: 1, spent: { tokens: 10, seconds: 1, cost: { amount: 1, currency: 'USD' } } } as const
  const first = { pair: one, done: 5, total: 10, paid: paid(5, 5, 5, 1) }
  expect(sufficientLimit(reached, [first, { pair: other, done: 0, total: undefined, paid: new PaidRows() }])).toBe(undefined)
  // A run that stops before its first row knows what its kept rows took.
  expect(sufficientLimit(reached, [{ pair: one, done: 5, total: 10, paid: new PaidRows() }])).toBe(2.4)
})

test('the command after a reached budget ends the run, also where the second model is ten times as expensive', async () => {
  const server = await scriptedServer(({ body }) => {
    const [, first, second] = /(\d+)\+(\d+)/.exec(body) ?? []
    const choices = [{ message: { role: 'assistant', content: String(Number(first) + Number(second)) }, finish_reason: 'stop' }]
    // Later replies are longer.
    return { json: { choices, usage: { prompt_tokens: 20, completion_tokens: 4 + (Number(first) % 3) } } }
  })
  const folder = sumsFolder(server.url, 40)
  const served = (abbr: string, price: number) => ({ ...model(abbr, price), base_url: server.url, max_out_len: 64, concurrency: 2 })
  const asked = {
    abbr: 'sums',
    path: 'rows.jsonl',
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
  }
  const stop = async (folderName: string, datasets: readonly object[]) => {
    writeFileSync(join(folder, 'eval.json'), JSON.stringify({ models: [served('cheap', 10), served('dear', 100)], datasets }))
    const run = ['run', 'eval.json', '-w', folderName, '--no-cache']
    const { code, stderr } = await rolecall([...run, '--max-cost', '0.005'], folder)
    expect([code, stderr]).toEqual([5, expect.stringContaining('stopped at --max-cost 0.005')])
    const [, command = ''] = /next {2}rolecall (run .*?)(?: {4}.*)?\n/.exec(stderr) ?? []
    return { command, resumed: await rolecall(command.split(' '), folder) }
  }
  const { command, resumed } = await stop('one', [asked])
  expect([command, resumed.code, resumed.stderr]).toEqual([
    expect.stringMatching(/ -r \S+ --max-cost [\d.]+$/),
    0,
    expect.not.stringContaining('stopped at'),
  ])
  // Of a second dataset, no row says what its prompts take.
  const unknown = await stop('two', [asked, { ...asked, abbr: 'again' }])
  expect([unknown.command, unknown.resumed.code, unknown.resumed.stdout]).toEqual([
    expect.stringMatching(/ -r \S+ --dry-run$/),
    0,
    expect.stringContaining('total: '),
  ])
  await server.close()
}, 60_000)
