import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { addingServer, recordsOf } from '../../../../../proof/testing/queued-run.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import type { EvaluationOptions } from './evaluation-options.ts'
import { runEvaluation } from './run-evaluation.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const price = { input: 100_000, output: 500_000 }

/** Each row takes 5 prompt tokens and one generated: 1 USD by `price`. */
async function adder(milliseconds = 2) {
  const server = await addingServer(milliseconds)
  servers.push(server)
  return { server, sent: () => server.seen.length }
}

/** Replies take as many tokens as a test says; those after `hold` wait until it is released. */
async function wordy() {
  const held: (() => void)[] = []
  let [prompt_tokens, completion_tokens, most] = [5, 1, Number.POSITIVE_INFINITY]
  const server = await scriptedServer(({ number }) => (response) => {
    const answer = () => {
      const choices = [{ message: { content: '1' }, finish_reason: 'stop' }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices, usage: { prompt_tokens, completion_tokens } }))
    }
    if (number >= most) held.push(answer)
    else answer()
  })
  servers.push(server)
  return {
    server,
    tokensOf(prompt: number, reply: number) {
      prompt_tokens = prompt
      completion_tokens = reply
    },
    hold(after: number) {
      most = after
      return () => {
        most = Number.POSITIVE_INFINITY
        for (const answer of held.splice(0)) answer()
      }
    },
  }
}

function configOf(url: string, rows: number, model: object = {}) {
  return {
    models: [{ abbr: 'adder', type: 'openai', path: 'adder', base_url: url, format: 'messages', price, ...model }],
    datasets: [
      {
        abbr: 'sums',
        rows: Array.from({ length: rows }, (_, id) => ({ question: `${id}+1=?`, answer: `${id + 1}` })),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
      },
    ],
  }
}

function run(config: ReturnType<typeof configOf>, options: EvaluationOptions = {}) {
  return runEvaluation(config, { workDir: folderWith({}), cache: false, ...options })
}

test('costs in several currencies are not added, and models without a price are named', async () => {
  const { server } = await adder()
  const { models, datasets } = configOf(server.url, 2, { concurrency: 1 })
  const [model] = models as [(typeof models)[0]]
  const other = { ...model, abbr: 'yuan', price: { ...price, currency: 'CNY' } }
  const { price: _, ...free } = { ...model, abbr: 'free' }
  const limited = async (config: object) => (await run(config as never, { maxTokensTotal: 30 })).reached!.spent
  expect(await limited({ models: [model, other, free], datasets })).toMatchObject({
    tokens: 30,
    costs: [
      { amount: 2, currency: 'USD' },
      { amount: 2, currency: 'CNY' },
    ],
    unpriced: ['free'],
  })
  const spent = await limited({ models: [model, { ...model, abbr: 'two' }, { ...model, abbr: 'three' }], datasets })
  expect(spent).toMatchObject({ tokens: 30, cost: { amount: 5, currency: 'USD' } })
  expect(spent).not.toHaveProperty('costs')
})

describe('a run with a limit stops before it exceeds it, and resumes with a higher one', () => {
  for (const concurrency of [1, 8, 64]) {
    test(`with ${concurrency} rows in flight`, async () => {
      const { server, sent } = await adder()
      const config = configOf(server.url, 200, { concurrency })
      const workDir = folderWith({})
      const first = await run(config, { workDir, maxCost: 100.5 })
      expect(sent()).toBe(100)
      expect(first).toMatchObject({ unfinished: 1, reached: { limit: 'max-cost', value: 100.5, spent: { tokens: 600 } } })
      expect(first.reached!.spent.cost!.amount).toBeCloseTo(100)
      expect(first.summary).toMatchObject({ unfinished: true, reached: { limit: 'max-cost' } })
      // The limit is remembered: resuming sends nothing.
      expect(await run(config, { workDir, reuse: 'latest' })).toMatchObject({ unfinished: 1, reached: { value: 100.5 } })
      expect(sent()).toBe(100)
      const second = await run(config, { workDir, reuse: 'latest', maxCost: 1000, maxTokensTotal: 903 })
      expect(second.reached).toMatchObject({ limit: 'max-tokens-total', spent: { tokens: 900 } })
      expect(sent()).toBe(150)
      const last = await run(config, { workDir, reuse: 'latest', maxTokensTotal: 1200 })
      expect(last).toMatchObject({ unfinished: 0, kept: 150, summary: { totals: { tokens: { prompt: 1000, reply: 200 } } } })
      expect(last.reached).toBeUndefined()
      expect(sent()).toBe(200)
      const whole = folderWith({})
      await run(config, { workDir: whole })
      expect(recordsOf(workDir)).toBe(recordsOf(whole))
    })
  }

  test('if rows become more expensive than those before, by at most the rows in flight', async () => {
    let number = 0
    const server = await scriptedServer(() => {
      const completion_tokens = number++ < 40 ? 1 : 100
      return { json: { choices: [{ message: { content: '1' }, finish_reason: 'stop' }], usage: { prompt_tokens: 0, completion_tokens } } }
    })
    servers.push(server)
    const { reached } = await run(configOf(server.url, 300, { concurrency: 8 }), { maxTokensTotal: 500 })
    expect(reached!.spent.tokens).toBeGreaterThan(400)
    expect(reached!.spent.tokens).toBeLessThanOrEqual(500 + 8 * 100)
  })

  test('if the rows of the next dataset have longer prompts: these are counted before the first of them is answered', async () => {
    const server = await scriptedServer(({ body }) => {
      // Estimated to within a few tokens, the error of the estimate aside.
      const prompt_tokens = body.includes('words') ? 1000 : 5
      return { json: { choices: [{ message: { content: '1' }, finish_reason: 'stop' }], usage: { prompt_tokens, completion_tokens: 1 } } }
    })
    servers.push(server)
    const config = configOf(server.url, 100, { concurrency: 16, max_out_len: 4000 })
    const rows = Array.from({ length: 50 }, (_, id) => ({ question: `words ${id} ${'word '.repeat(800)}`, answer: '1' }))
    const long = { ...config.datasets[0]!, abbr: 'long', rows }
    const { reached } = await run({ ...config, datasets: [...config.datasets, long] } as never, { maxTokensTotal: 8000 })
    // Sixteen rows of a thousand tokens would exceed it by more than all of it; until the first is answered, it is alone or few are sent.
    expect(reached!.spent.tokens).toBeGreaterThan(6500)
    expect(reached!.spent.tokens).toBeLessThanOrEqual(8000)
  })

  test('if the first row of the next dataset does not fit: it is not sent, although nothing is in flight', async () => {
    const { server, tokensOf } = await wordy()
    tokensOf(5, 90)
    const { models, datasets } = configOf(server.url, 10, { concurrency: 1, max_out_len: 4000 })
    const rows = [{ question: `0+1=? ${'word '.repeat(400)}`, answer: '1' }]
    const { reached } = await run({ models, datasets: [...datasets, { ...datasets[0]!, abbr: 'long', rows }] }, { maxTokensTotal: 1000 })
    expect([server.seen.length, reached?.spent.tokens]).toEqual([10, 950])
  })

  test('if the next dataset is like those before: its first rows count with the mean reply of the model, not with max_out_len', async () => {
    const { server } = await adder()
    const { models, datasets } = configOf(server.url, 10, { concurrency: 10, max_out_len: 4000 })
    const more = { ...datasets[0]!, abbr: 'more', rows: rowsFrom(10, 20) }
    // Held until all ten are in flight.
    server.holdAfter(10)
    const running = run({ models, datasets: [...datasets, more] }, { maxTokensTotal: 1000 })
    while (server.seen.length < 20) await sleep(5)
    server.release()
    expect((await running).unfinished).toBe(0)
  })

  test('if rows of the next dataset ask for more replies: each counts as long as one of those before', async () => {
    const { server, tokensOf, hold } = await wordy()
    tokensOf(5, 100)
    const { models, datasets } = configOf(server.url, 4, { concurrency: 16, max_out_len: 4000, temperature: 1, seed: 1 })
    const more = { ...datasets[0]!, abbr: 'more', n: 8, rows: rowsFrom(10, 20) }
    const release = hold(4)
    // 420 are spent, and a row may take 800 and its prompts: two of them fit, and a row with one such reply would fit eight times.
    const running = run({ models, datasets: [...datasets, more] } as never, { maxTokensTotal: 2600 })
    while (server.seen.length < 6) await sleep(5)
    await sleep(50)
    expect(server.seen).toHaveLength(6)
    release()
    expect((await running).reached!.spent.tokens).toBeLessThanOrEqual(2600)
  })

  test('with 64 in flight from the first row on: no more than fit if every reply has max_out_len', async () => {
    const { server, sent } = await adder()
    // Until something was answered, a row takes at most 1.2 + 4.5 USD: two of them fit.
    server.holdAfter(0)
    const running = run(configOf(server.url, 100, { concurrency: 64, max_out_len: 9 }), { maxCost: 12 })
    while (sent() < 2) await sleep(5)
    await sleep(50)
    expect(sent()).toBe(2)
    server.release()
    const { reached } = await running
    expect([sent(), reached?.spent.cost?.amount]).toEqual([12, 12])
  })

  test('with --retry-cut, a row takes at most both attempts', async () => {
    const { server, sent } = await adder()
    // 2 × 1.2 + 4.5 + 9 USD: no second row fits beside the first.
    server.holdAfter(0)
    const running = run(configOf(server.url, 100, { concurrency: 64, max_out_len: 9 }), { maxCost: 20, retryCut: 2 })
    while (sent() < 1) await sleep(5)
    await sleep(50)
    expect(sent()).toBe(1)
    server.release()
    expect((await running).reached?.spent.cost?.amount).toBe(20)
  })

  test('a cut answer is not asked again once nothing is left, but when the run is resumed with a higher limit', async () => {
    const limits: number[] = []
    const server = await scriptedServer(({ body }) => {
      const { max_tokens: most } = JSON.parse(body) as { max_tokens: number }
      const isExpensive = body.includes('0+1')
      limits.push(most)
      const choices = [{ message: { content: '2' }, finish_reason: isExpensive || most > 9 ? 'stop' : 'length' }]
      const json = JSON.stringify({ choices, usage: { prompt_tokens: 0, completion_tokens: isExpensive ? 500 : 9 } })
      return (response) => void setTimeout(() => response.setHeader('content-type', 'application/json').end(json), isExpensive ? 0 : 100)
    })
    servers.push(server)
    const config = configOf(server.url, 2, { concurrency: 2, max_out_len: 9 })
    const options = { workDir: folderWith({}), retryCut: 2 }
    const { summary } = await run(config, { ...options, maxTokensTotal: 400 })
    expect(limits).toEqual([9, 9])
    expect(JSON.stringify(summary.results[0]?.notes)).toContain('it was not retried with 18 tokens: a limit of the run is reached')
    const resumed = await run(config, { ...options, reuse: 'latest', maxTokensTotal: 1000 })
    expect([limits, resumed.unfinished]).toEqual([[9, 9, 18], 0])
    expect(JSON.stringify(resumed.summary.results[0]?.notes)).not.toContain('not retried')
  })

  test('and has written each row before it sends the next: a killed run loses only the cost of the rows in flight', async () => {
    const { server } = await adder(0)
    const workDir = folderWith({})
    let answered = 0
    let unwritten = 0
    const onEvent = ({ kind }: { kind: string }) => {
      if (kind === 'row') unwritten = Math.max(unwritten, ++answered - recordsOf(workDir).split('\n').length + 1)
    }
    await run(configOf(server.url, 100, { concurrency: 16 }), { workDir, maxCost: 1000, onEvent })
    expect([answered, unwritten]).toEqual([100, 0])
  })

  test('a single row is tried even if it might cost more than is left', async () => {
    const { server, sent } = await adder()
    const { reached } = await run(configOf(server.url, 100, { concurrency: 64, max_out_len: 1000 }), { maxCost: 12 })
    expect([sent(), reached?.spent.cost?.amount]).toEqual([12, 12])
  })

  test('and the summary says what all rows have spent, and what those of finished pairs', async () => {
    const { server } = await adder()
    const { models, datasets } = configOf(server.url, 10, { concurrency: 1 })
    const [sums] = datasets
    const config = { models, datasets: [sums!, { ...sums!, abbr: 'more', rows: rowsFrom(20, 30) }] }
    const workDir = folderWith({})
    const spent = (amount: number) => ({ tokens: 6 * amount, cost: { amount, currency: 'USD' } })
    for (const maxCost of [13, 16]) {
      const { summary, folder } = await run(config, { workDir, reuse: 'latest', maxCost })
      expect(summary).toMatchObject({ unfinished: true, spent: spent(maxCost), totals: { costs: [{ amount: 10 }] } })
      for (const file of ['summary/summary.md', 'summary/summary.txt']) {
        const text = readFileSync(join(folder, file), 'utf8')
        expect(text).toContain('finished models and datasets: 50 prompt tokens, 10 generated; cost 10.00 USD')
        expect(text).toContain(`with the unfinished ones: ${6 * maxCost} tokens; cost ${maxCost}.00 USD`)
      }
    }
    const { summary } = await run(config, { workDir, reuse: 'latest', maxCost: 100 })
    expect(summary).not.toHaveProperty('spent')
  })

  test('by time, which starts anew when it is resumed', async () => {
    const { server, sent } = await adder(20)
    const config = configOf(server.url, 60, { concurrency: 2, price: undefined })
    const workDir = folderWith({})
    const { reached, unfinished } = await run(config, { workDir, maxTime: 0.2 })
    expect([reached?.limit, unfinished]).toEqual(['max-time', 1])
    // Rows that were in flight when the time was up count, too.
    expect(reached!.spent.tokens).toBe(6 * sent())
    expect(sent()).toBeLessThan(60)
    const second = await run(config, { workDir, reuse: 'latest', maxTime: 60 })
    expect([second.unfinished, sent()]).toEqual([0, 60])
  })

  test('but cached answers cost nothing, and pairs that were complete keep their results', async () => {
    const { server, sent } = await adder()
    const { models, datasets } = configOf(server.url, 10, { concurrency: 2 })
    const [sums] = datasets
    const config = { models, datasets: [sums!, { ...sums!, abbr: 'more', rows: [...sums!.rows, ...rowsFrom(10, 20)] }] }
    const options = { workDir: folderWith({}), cache: folderWith({}) }
    const { reached, summary } = await run(config, { ...options, maxCost: 15 })
    expect([reached?.limit, sent()]).toEqual(['max-cost', 15])
    expect(summary.results.map(({ dataset, rows }) => [dataset, rows])).toEqual([['sums', 10]])
    const again = await run(config, { ...options, reuse: 'latest' })
    expect(again.summary.results.map(({ dataset, rows }) => [dataset, rows])).toEqual([['sums', 10]])
    expect(sent()).toBe(15)
  })
})

function rowsFrom(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => ({ question: `${from + index}+1=?`, answer: `${from + index + 1}` }))
}

test('a judge counts as well, also when only its verdicts are missing', async () => {
  const { server, sent } = await adder()
  const { models, datasets } = configOf(server.url, 20, { concurrency: 4 })
  const prompt_template = { template: { round: [{ role: 'HUMAN', prompt: '1+1, or {prediction}?' }] } }
  const evaluator = { type: 'GenericLLMEvaluator', prompt_template, judge_cfg: { ...models[0]!, abbr: 'judge' } }
  const judgedBy = (changes: object) => datasets.map((dataset) => ({ ...dataset, eval_cfg: { evaluator: { ...evaluator, ...changes } } }))
  const { reached } = await run({ models, datasets: judgedBy({}) } as never, { maxCost: 20 })
  expect(reached?.limit).toBe('max-cost')
  expect(sent()).toBeLessThanOrEqual(20)
  expect(sent()).toBeGreaterThan(15)
  const workDir = folderWith({})
  await run({ models, datasets: judgedBy({}) } as never, { workDir })
  const before = sent()
  const other = { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '2+1, or {prediction}?' }] } } }
  const again = await run({ models, datasets: judgedBy(other) } as never, { workDir, reuse: 'latest', maxCost: 45 })
  expect(again.reached?.limit).toBe('max-cost')
  expect(sent() - before).toBeGreaterThanOrEqual(5)
  expect(sent() - before).toBeLessThanOrEqual(9)
})

describe('errors before the first request', () => {
  const cases: [string, object, EvaluationOptions, string][] = [
    ['a limit of 0', {}, { maxCost: 0 }, '0 is not an amount above 0'],
    ['a negative limit', {}, { maxTokensTotal: -5 }, '-5 is not an amount above 0'],
    ['a limit that is no number', {}, { maxTime: Number.NaN }, 'NaN is not an amount above 0'],
    ['a limit on unknown cost', { price: undefined }, { maxCost: 1 }, '--max-cost needs the price'],
    ['a row limit without a price', { price: undefined, max_cost_per_row: 1 }, {}, 'max_cost_per_row needs the price'],
    ['a row limit above that of the run', { max_cost_per_row: 2 }, { maxCost: 1 }, 'one row may cost 2, and the whole run 1'],
  ]
  for (const [name, model, options, problem] of cases) {
    test(name, async () => {
      const { server, sent } = await adder()
      await expect(run(configOf(server.url, 3, model), options)).rejects.toMatchObject({ problem: expect.stringContaining(problem) })
      expect(sent()).toBe(0)
    })
  }

  test('prices in two currencies', async () => {
    const { server } = await adder()
    const { models, datasets } = configOf(server.url, 3)
    const config = { models: [...models, { ...models[0]!, abbr: 'two', price: { ...price, currency: 'EUR' } }], datasets }
    await expect(run(config, { maxCost: 1 })).rejects.toMatchObject({
      code: 'contradiction',
      problem: expect.stringContaining('USD and EUR'),
    })
  })
})

test('a server that reports no tokens ends a run that limits them', async () => {
  const server = await scriptedServer(() => ({ json: { choices: [{ message: { content: '1' }, finish_reason: 'stop' }] } }))
  servers.push(server)
  await expect(run(configOf(server.url, 3), { maxCost: 5 })).rejects.toMatchObject({ code: 'no-usage' })
  const perRow = configOf(server.url, 3, { max_cost_per_row: 1, concurrency: 1 })
  const before = server.seen.length
  await expect(run(perRow)).rejects.toMatchObject({ code: 'no-usage' })
  expect(server.seen.length - before).toBe(1)
  expect((await run(configOf(server.url, 3))).unfinished).toBe(0)
})

test('a row that has cost max_cost_per_row sends no more requests and fails; its cost counts', async () => {
  const { server, sent } = await adder()
  const { models, datasets } = configOf(server.url, 2, { max_cost_per_row: 2, temperature: 1, seed: 1 })
  const config = { models, datasets: [{ ...datasets[0]!, n: 5 }] }
  const { summary } = await run(config)
  expect(sent()).toBe(4)
  expect(summary.results[0]).toMatchObject({ rows: 2, failed: 2, costs: [{ amount: 4 }] })
  expect(summary.results[0]!.notes).toContainEqual(
    expect.objectContaining({ code: 'failed', text: expect.stringContaining('it has cost 2.00 USD') }),
  )
})

test('a stop ends rows that wait for the budget', async () => {
  const { server } = await adder(50)
  const stop = new AbortController()
  const running = run(configOf(server.url, 50, { concurrency: 8 }), { maxCost: 12, stop: stop.signal })
  await sleep(80)
  stop.abort()
  expect((await running).unfinished).toBe(1)
})
