import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { main, rolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { standInBatches } from '../../../../../proof/testing/stand-in-batches.ts'

// `rolecall run --batch` against stand-ins of the services, killed while a batch is in progress.

const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const keys = { OPENAI_API_KEY: 'secret-key-123456', ANTHROPIC_API_KEY: 'secret-key-123456', ROLECALL_CACHE: 'off' }

async function start(service: 'openai' | 'anthropic', polls: number) {
  const standIn = standInBatches(service, { polls })
  const server = await scriptedServer(standIn.answer)
  servers.push(server)
  const rows = Array.from({ length: 20 }, (_, id) => ({ question: `q${id}`, answer: `q${id}!` }))
  const folder = folderWith({
    'config.json': JSON.stringify({
      models: [
        {
          abbr: 'm',
          type: service,
          path: 'the-model',
          base_url: server.url,
          format: 'messages',
          max_out_len: 5,
          price: { input: 100_000, output: 500_000 },
        },
      ],
      datasets: [
        {
          abbr: 'echo',
          rows,
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
          eval_cfg: { evaluator: { type: 'AccEvaluator' } },
        },
      ],
    }),
  })
  return { standIn, folder }
}

const args = ['run', 'config.json', '-w', 'out', '--batch', '--json']

describe.for(['openai', 'anthropic'] as const)('a run in batches of %s', (service) => {
  test('that is killed is resumed without paying twice, at half the price', { timeout: 180_000 }, async () => {
    const { standIn, folder } = await start(service, 2)
    const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...process.env, ...keys }, stdio: 'ignore' })
    await expect.poll(() => standIn.batches.length, { timeout: 100_000 }).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // The flag is remembered.
    const { code, stdout } = await rolecall(['run', 'config.json', '-w', 'out', '-r', '--json'], folder, keys)
    const { results, totals } = JSON.parse(stdout)
    expect([code, results.map(({ rows, failed }: { rows: number; failed: number }) => [rows, failed])]).toEqual([0, [[20, 0]]])
    expect(standIn.batches.map(({ requests }) => requests.length)).toEqual([20])
    // 9 tokens of the prompt, 2 of the reply; the service that reports cached ones counts them at the same price.
    expect(totals.costs).toEqual([{ amount: (20 * (9 * 100_000 + 2 * 500_000)) / 1e6 / 2, currency: 'USD' }])
  })

  test('is estimated at half the price', async () => {
    const { standIn, folder } = await start(service, 0)
    const costOf = async (...more: string[]) => {
      const { stdout } = await rolecall(['run', 'config.json', '--dry-run', '--json', ...more], folder, keys)
      return JSON.parse(stdout)[0].estimates[0].cost.most.amount
    }
    const [whole, half] = [await costOf(), await costOf('--batch')]
    expect([typeof whole, half]).toEqual(['number', whole / 2])
    expect(standIn.batches).toEqual([])
  })
})

test('models without a batch endpoint are refused', async () => {
  const folder = folderWith({
    'config.json': JSON.stringify({
      models: [{ abbr: 'g', type: 'google', path: 'gemini', format: 'messages' }],
      datasets: [{ abbr: 'd', rows: [{ q: 'x' }], infer_cfg: { prompt_template: { template: '{q}' } } }],
    }),
  })
  const { code, stderr } = await rolecall(['run', 'config.json', '--batch', '--dry-run'], folder, keys)
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining('have no batch endpoint here')])
})
