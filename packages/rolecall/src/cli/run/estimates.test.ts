import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addingServer, sumsFolder } from '../../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { layOut } from '../screen/lay-out.ts'
import { type CostEstimate, estimateBlocks, estimatesOf } from './estimate-cost.ts'

const prices = JSON.stringify({
  sample_spec: { input_cost_per_token: 'the price of a token' },
  'some-provider/adder': { input_cost_per_token: 1e-6, output_cost_per_token: 4e-6, cache_read_input_token_cost: 5e-7 },
})

test('a dry run estimates tokens and cost: at most max_out_len for each answer, then what an earlier run took', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 10, { max_out_len: 100, requests_per_minute: 6000 })
  writeFileSync(join(folder, 'prices.json'), prices)
  const dry = async (...more: string[]) => {
    const { code, stdout } = await rolecall(['run', 'eval.json', '-w', 'runs', '--dry-run', '--json', ...more], folder)
    expect(code).toBe(0)
    return (JSON.parse(stdout) as { estimates: CostEstimate[] }[])[0]!.estimates
  }
  const [unknown] = await dry()
  expect(unknown).toMatchObject({ of: 'model', generatedTokens: 1000, mostGenerated: 1000, basis: 'max_out_len', promptError: 0.35 })
  expect(unknown).not.toHaveProperty('cost')
  // 10 requests at 6000 in a minute.
  expect(unknown!.seconds).toBeCloseTo(0.1)
  const [before] = await dry('--prices', 'prices.json')
  expect(before!.cost!.expected.amount).toBeCloseTo((before!.promptTokens + 4 * 1000) / 1e6)
  expect(before!.cost!.most.amount).toBeCloseTo((1.35 * before!.promptTokens + 4 * 1000) / 1e6)
  expect((await rolecall(['run', 'eval.json', '-w', 'runs', '--no-cache', '--prices', 'prices.json'], folder)).stdout).toContain(
    ' · 0.000090 USD · ',
  )
  await server.close()
  const [after] = await dry('--prices', 'prices.json')
  expect(after).toMatchObject({ generatedTokens: 10, mostGenerated: 1000, basis: 'earlier run' })
  const { stdout } = await rolecall(['run', 'eval.json', '-w', 'runs', '--dry-run'], folder)
  expect(stdout).toMatch(/estimate +dataset +prompt tokens +generated +time\nadder +sums +≈ \d+ +10 +0:0/)
  expect(stdout).toContain('±35 %')
  expect(stdout).toContain('\nunknown: cost (no price)\n')
})

test('judges are estimated as well, and tokens are exact where the tokenizer is known', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 4)
  const judge = {
    abbr: 'judge',
    type: 'openai',
    path: 'judge',
    base_url: 'http://127.0.0.1:9/v1',
    format: 'messages',
    max_out_len: 7,
    requests_per_minute: 120,
  }
  const config = {
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 6, price: { input: 1e6, output: 1e6 } }],
    datasets: [
      {
        abbr: 'sums',
        path: 'rows.jsonl',
        n: 2,
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { temperature: 1 } },
        eval_cfg: {
          evaluator: { type: 'GenericLLMEvaluator', prompt_template: { template: 'Is {prediction} right?' }, judge_cfg: judge },
        },
      },
    ],
  }
  writeFileSync(join(folder, 'judged.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'prices.json'), JSON.stringify({ judge: { input_cost_per_token: 0, output_cost_per_token: 1 } }))
  const { stdout } = await rolecall(['run', 'judged.json', '--dry-run', '--json', '--prices', 'prices.json'], folder)
  const [plan] = JSON.parse(stdout) as { tokens: number; estimates: CostEstimate[] }[]
  expect(plan!.estimates).toMatchObject([
    { of: 'model', promptTokens: 2 * plan!.tokens, promptError: 0, mostGenerated: 48 },
    { of: 'judge', mostGenerated: 56, seconds: 4, cost: { most: { amount: 56, currency: 'USD' } } },
  ])
  const { stdout: retried } = await rolecall(['run', 'judged.json', '--dry-run', '--json', '--retry-cut', '2x'], folder)
  const [model] = (JSON.parse(retried) as { estimates: CostEstimate[] }[])[0]!.estimates
  // Both attempts at most, one as long as it may be if nothing else is known.
  expect(model).toMatchObject({ generatedTokens: 48, mostGenerated: 48 + 96 })
  expect(model!.cost!.most.amount).toBeCloseTo(4 * plan!.tokens + 144)
  expect(model!.cost!.expected.amount).toBeCloseTo(2 * plan!.tokens + 48)
})

test('rows that an interrupted run has answered are measured, too; a judge at most reads replies as long as they may be', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 20, { max_out_len: 100, price: { input: 100_000, output: 500_000 } })
  expect((await rolecall(['run', 'eval.json', '-w', 'runs', '--no-cache', '--max-cost', '10'], folder)).code).toBe(5)
  await server.close()
  const dry = await rolecall(['run', 'eval.json', '-w', 'runs', '-r', '--max-cost', '100', '--dry-run', '--json'], folder)
  expect((JSON.parse(dry.stdout) as { estimates: CostEstimate[] }[])[0]!.estimates).toMatchObject([
    { generatedTokens: 10, mostGenerated: 1000, basis: 'earlier run' },
  ])
  const plan = { rows: 10, prompts: 10, estimatedTokens: 100, mostGenerated: 1000, judge: { prompts: 10, estimatedTokens: 100 } }
  const judge = { config: { max_out_len: 1, price: { input: 1e6, output: 0 } } }
  const earlier = { rows: 10, failed: 0, tokens: { prompt: 50, reused: 0, reply: 50 } }
  const [, judged] = estimatesOf(plan as never, { model: { abbr: 'm' }, judge } as never, earlier)
  expect(judged!.cost!.expected.amount).toBeCloseTo(150)
  expect(judged!.cost!.most.amount).toBeCloseTo(1.35 * 1100)
})

test('the time of a run that was interrupted or resumed follows from that of its rows', async () => {
  const server = await addingServer(50)
  const folder = sumsFolder(server.url, 40, { concurrency: 2 })
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache']
  const secondsOf = async (...flags: string[]) => {
    const { stdout } = await rolecall([...run, '--dry-run', '--json', ...flags], folder)
    return (JSON.parse(stdout) as { estimates: CostEstimate[] }[])[0]!.estimates[0]!.seconds
  }
  expect((await rolecall([...run, '--max-tokens-total', '180'], folder)).code).toBe(5)
  // 10 rows of 50 ms, two at once; 40 in a new run.
  expect(await secondsOf('-r', '--max-tokens-total', '1000')).toBeGreaterThanOrEqual(0.24)
  expect(await secondsOf('--max-tokens-total', '1000')).toBeGreaterThanOrEqual(0.98)
  expect((await rolecall([...run, '-r', '--max-tokens-total', '1000'], folder)).code).toBe(0)
  expect(await secondsOf()).toBeGreaterThanOrEqual(0.98)
  // All rows were recorded already: this part took no time.
  await rolecall([...run, '-r'], folder)
  expect(await secondsOf()).toBeGreaterThanOrEqual(0.98)
  await server.close()
})

test('models that run here have a table if their time is known', () => {
  const one = { of: 'model', promptTokens: 5, promptError: 0, generatedTokens: 1, mostGenerated: 1, basis: 'earlier run' } as const
  const plan = { model: 'tiny', dataset: 'sums', rows: 1, prompts: 1, examplesDropped: 0 }
  expect(estimateBlocks([{ ...plan, estimates: [one] }])).toEqual([])
  expect(layOut(estimateBlocks([{ ...plan, estimates: [{ ...one, seconds: 65 }] }]), 80, false)).toMatch(
    /tiny +sums +5 +1 +1:05\nunknown: cost \(no price\)/,
  )
})

test('a file of prices of another shape is an error that names the field', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 1)
  const cases: [string, string][] = [
    ['nonsense', 'prices.json\n  this is not JSON'],
    ['[]', 'prices.json\n  this is not an object with model names as keys'],
    ['{"adder": 3}', 'prices.json › adder\n  this is not an object with prices'],
    ['{"models": [{"id": "adder"}]}', 'prices.json › models\n  this is not an object with prices'],
    ['{"adder": {"input": 3}}', 'prices.json › adder › input_cost_per_token\n  the price is missing'],
    ['{"adder": {"input_cost_per_token": 1, "output_cost_per_token": "2"}}', 'adder › output_cost_per_token\n  "2" is not a price'],
    ['{"adder": {"input_cost_per_token": 1e999, "output_cost_per_token": 2}}', 'adder › input_cost_per_token\n  Infinity is not a price'],
    ['{"adder": {"input_cost_per_token": -1, "output_cost_per_token": 2}}', 'adder › input_cost_per_token\n  -1 is not a price'],
  ]
  for (const [text, problem] of cases) {
    writeFileSync(join(folder, 'prices.json'), text)
    const { code, stderr } = await rolecall(['run', 'eval.json', '--dry-run', '--prices', 'prices.json'], folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  }
  expect((await rolecall(['run', 'eval.json', '--prices', 'none.json'], folder)).stderr).toContain('there is no such file')
  expect((await rolecall(['run', 'eval.json', '--prices', '.'], folder)).stderr).toContain('this is a folder, not a file')
  const price = (input: number) => ({ input_cost_per_token: input, output_cost_per_token: 0 })
  const of = (entries: object) => {
    writeFileSync(join(folder, 'prices.json'), JSON.stringify(entries))
    return rolecall(['run', 'eval.json', '--dry-run', '--prices', 'prices.json'], folder)
  }
  const several = await of({ 'one/adder': price(1), 'other/adder': price(2), 'none/adder': {} })
  expect(several.stderr).toContain(
    'the price of adder is unknown: 2 entries end with its name and differ in price (one/adder, other/adder)',
  )
  expect((await of({ other: price(1) })).stderr).toContain('the price of adder is unknown: no entry is named adder or ends with /adder')
  const perMillion = await of({ 'one/adder': price(2), 'other/adder': price(2) })
  expect(perMillion.stdout).toMatch(/total: .* USD/)
  expect(perMillion.stderr).toContain('2,000,000 USD for a million tokens is implausible: prices in this file are for one token')
  expect((await of({ adder: price(0.0006) })).stderr).not.toContain('implausible')
})

test('prices of a file that are not counted are named', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 1)
  const stderrWith = async (more: object) => {
    const entry = { input_cost_per_token: 1e-6, output_cost_per_token: 4e-6, cache_read_input_token_cost: 1e-7, ...more }
    writeFileSync(join(folder, 'prices.json'), JSON.stringify({ adder: entry }))
    return (await rolecall(['run', 'eval.json', '--dry-run', '--prices', 'prices.json'], folder)).stderr
  }
  expect(await stderrWith({ max_tokens: 8192, output_cost_per_image: 0, input_cost_per_audio_token: null })).not.toContain('ignored')
  expect(await stderrWith({ input_cost_per_token_batches: 5e-7 })).toContain(
    'every token counts with the price per token; others are ignored (input_cost_per_token_batches) (prices.json › adder)\n',
  )
  expect(await stderrWith({ input_cost_per_token_above_128k_tokens: 2e-6 })).toContain(
    '(input_cost_per_token_above_128k_tokens): rows with long prompts may cost more than is counted',
  )
})

test('a dry run says which limits the run is expected to reach, with what earlier parts have spent', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 20, { max_out_len: 1, price: { input: 100_000, output: 500_000 }, requests_per_minute: 6000 })
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache']
  const notesOf = async (...flags: string[]) => (await rolecall([...run, '--dry-run', ...flags], folder)).stderr
  expect(await notesOf('--max-cost', '14', '--max-tokens-total', '50', '--max-time', '0.1s')).toMatch(
    /--max-cost 14 is below the expected cost, \d+\.\d\d USD if every answer takes max_out_len: the run is expected to stop at the limit\n.*--max-tokens-total 50 is below the expected \d+ tokens if .*\n.*--max-time is below the expected time, 0\.2 s: /,
  )
  expect(await notesOf('--max-cost', '1000', '--max-tokens-total', '1000', '--max-time', '1m')).not.toContain('below')
  expect((await rolecall([...run, '--max-cost', '12'], folder)).code).toBe(5)
  await server.close()
  const resumed = await notesOf('-r', '--max-cost', '14')
  expect(resumed).toMatch(/--max-cost 14 is below the expected cost, 2\d\.\d\d USD \(12\.00 USD spent\): /)
  expect(await notesOf('-r', '--max-cost', '40')).not.toContain('below')
})

test('rows that failed took no tokens: they are not part of the mean of an earlier run', () => {
  const plan = { rows: 10, prompts: 10, estimatedTokens: 100, mostGenerated: 1000, judge: { prompts: 10, estimatedTokens: 100 } }
  const pair = { model: { abbr: 'm' }, judge: { config: { max_out_len: 100 } } }
  const earlier = {
    rows: 10,
    failed: 5,
    cached: 3,
    seconds: 1,
    tokens: { prompt: 50, reused: 0, reply: 50 },
    judgeTokens: { prompt: 9, reused: 0, reply: 8 },
  }
  expect(estimatesOf(plan as never, pair as never, earlier as never)).toMatchObject([
    { of: 'model', generatedTokens: 100, basis: 'earlier run' },
    { of: 'judge', generatedTokens: 40, basis: 'earlier run' },
  ])
  const none = estimatesOf(plan as never, pair as never, { ...earlier, failed: 10 } as never)
  expect(none).toMatchObject([{ basis: 'max_out_len' }, { basis: 'max_out_len' }])
})
