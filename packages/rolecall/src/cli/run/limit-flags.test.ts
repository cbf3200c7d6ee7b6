import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addingServer, sumsFolder } from '../../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

test('a limit that is reached has its own exit code, a reason in --json, and a command to go on with', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 20, { price: { input: 100_000, output: 500_000 } })
  const { code, stdout, stderr } = await rolecall(['run', 'eval.json', '-w', 'runs', '--max-cost', '7.5', '--json'], folder)
  await server.close()
  expect(code).toBe(5)
  expect(JSON.parse(stdout)).toMatchObject({
    unfinished: true,
    reached: { limit: 'max-cost', value: 7.5, spent: { tokens: 42 } },
    error: { code: 'limit-reached', problem: expect.stringContaining('7.00 USD spent'), exit_code: 5 },
  })
  expect(stderr).toMatch(/stopped at --max-cost 7\.5: 7 of 20 rows are answered, for 7\.00 USD\n.* -r \S+ --max-cost 24\n/s)
})

test('amounts that are none are errors', async () => {
  for (const flag of ['--max-cost', '--max-tokens-total', '--max-time'])
    for (const value of ['0', '-1', 'much', ''])
      expect([flag, value, (await rolecall(['run', flag, value])).code]).toEqual([flag, value, 2])
})

test('none removes a limit from a resumed run, and rows of unfinished pairs are kept without a total', async () => {
  const server = await addingServer(1)
  const folder = sumsFolder(server.url, 20, { price: { input: 100_000, output: 500_000 } })
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache']
  expect((await rolecall([...run, '--max-cost', '7.5', '--max-tokens-total', '100'], folder)).code).toBe(5)
  const same = await rolecall([...run, '-r'], folder)
  expect([same.code, same.stderr]).toEqual([5, expect.stringMatching(/7 of 20 rows are answered, for 7\.00 USD\nanswers are in runs/)])
  const other = await rolecall([...run, '-r', '--max-cost', 'none'], folder)
  expect([other.code, other.stderr]).toEqual([5, expect.stringContaining('--max-tokens-total 100 is reached')])
  // A removed limit is not remembered.
  const last = await rolecall([...run, '-r', '--max-tokens-total', 'none'], folder)
  await server.close()
  expect([last.code, last.stdout]).toEqual([0, expect.stringMatching(/20 rows, 16 kept, 4 in .* runs/)])
  const { stderr } = await rolecall(['run', '--max-cost', 'much'], folder)
  expect(stderr).toContain('expected a number above 0, or none')
})

test('a resumed run keeps its answers when the server stands elsewhere, however often it moves, and asks again for another model', async () => {
  const [first, second, third] = [await addingServer(1), await addingServer(1), await addingServer(1)]
  const folder = sumsFolder(first.url, 20, { price: { input: 100_000, output: 500_000 } })
  const run = ['run', 'eval.json', '-w', 'runs', '--no-cache']
  expect((await rolecall([...run, '--max-cost', '7.5'], folder)).code).toBe(5)
  const moved = await rolecall([...run, '-r', '--base-url', second.url, '--max-cost', '12.5'], folder)
  expect([moved.code, first.asked.size, second.asked.size]).toEqual([5, 7, 5])
  const last = await rolecall([...run, '-r', '--base-url', third.url, '--max-cost', 'none'], folder)
  expect([last.code, last.stdout]).toEqual([0, expect.stringContaining('20 rows, 12 kept, 8 in')])
  expect(third.asked.size).toBe(8)
  const config = JSON.parse(readFileSync(join(folder, 'eval.json'), 'utf8'))
  config.models[0].path = 'another'
  writeFileSync(join(folder, 'eval.json'), JSON.stringify(config))
  const asked = third.asked.size
  const other = await rolecall([...run, '-r', '--base-url', third.url], folder)
  expect(other.stderr).toContain('rows that were asked with other settings are asked again: adder › path: "adder" → "another"')
  expect(third.asked.size).toBeGreaterThan(asked)
  expect(other.stdout).toContain('20 rows had been run with other settings (adder › path: "adder" →')
  for (const server of [first, second, third]) await server.close()
})

test('limits of a config that are none say what is allowed', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 1, { price: { input: 1, output: 1 }, max_cost_per_row: 0 })
  const { code, stderr } = await rolecall(['run', 'eval.json'], folder)
  expect([code, stderr]).toEqual([2, expect.stringContaining('use a number above 0')])
})

test('a dry run refuses the limits that the run would refuse', async () => {
  const folder = sumsFolder('http://127.0.0.1:9/v1', 1)
  for (const dry of [[], ['--dry-run']]) {
    const { code, stderr } = await rolecall(['run', 'eval.json', '--max-cost', '5', ...dry], folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--max-cost needs the price of its tokens, which is unknown')])
  }
})
