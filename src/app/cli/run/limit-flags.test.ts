import { expect, test } from 'vitest'
import { addingServer, sumsFolder } from '../../../../testing/queued-run.ts'
import { rolecall } from '../../../../testing/rolecall.ts'

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
  expect(stderr).toMatch(/limit reached 1 of 1 pairs are not finished, 42 tokens; cost 7\.00 USD so far\. .*-r \S+ --max-cost 15\n/s)
})

test('amounts that are none are errors', async () => {
  for (const flag of ['--max-cost', '--max-tokens-total', '--max-time'])
    for (const value of ['0', '-1', 'much', ''])
      expect([flag, value, (await rolecall(['run', flag, value])).code]).toEqual([flag, value, 2])
})
