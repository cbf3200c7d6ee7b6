import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { addingServer, type Process, recordsOf, start, sumsFolder, until } from '../../../../../proof/testing/queued-run.ts'
import { queueServers, queueServersText, redisServer } from '../../../../../proof/testing/redis-server.ts'
import { sampleOf } from '../../../../../proof/testing/sampling.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

const started: Process[] = []
const begin = (args: readonly string[], folder: string) => {
  started.push(start(args, folder, { ROLECALL_QUEUE_LOCK: '2' }))
  return started.at(-1)!
}
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL')
})

/** A row costs 1 USD. */
const price = { input: 100_000, output: 500_000 }
const runArguments = ['run', 'eval.json', '-w', 'runs', '--no-cache']

describe('a limit holds after kill -9: at most the rows in flight at that moment are paid twice', () => {
  for (const concurrency of [1, 8, 64]) {
    test(`with ${concurrency} rows in flight`, async () => {
      const server = await addingServer(1)
      const folder = sumsFolder(server.url, 250, { concurrency, price })
      const sent = Math.ceil(1.2 * concurrency)
      server.holdAfter(sent)
      const killed = begin([...runArguments, '--max-cost', '150'], folder)
      await until(() => server.seen.length > sent, 'rows are sent')
      killed.child.kill('SIGKILL')
      await killed.ended
      server.release()
      const resumed = begin([...runArguments, '-r'], folder)
      expect([await resumed.ended, resumed.said()]).toEqual([
        5,
        expect.stringMatching(/--max-cost 150 is reached: .*next {2}rolecall run .* -r [\s\S]*--max-cost \d+/s),
      ])
      expect(server.seen.length).toBeGreaterThanOrEqual(150)
      expect(server.seen.length).toBeLessThanOrEqual(150 + concurrency)
      expect(await begin([...runArguments, '-r', '--max-cost', '1000'], folder).ended).toBe(0)
      expect(recordsOf(join(folder, 'runs')).trim().split('\n')).toHaveLength(250)
      await server.close()
    }, 120_000)
  }
})

const [program = ''] = sampleOf(queueServers, 1)
describe.skipIf(program === '')(`on a queue with three workers (${queueServersText})`, () => {
  test('limits on cost and time hold, also after kill -9 of the coordinator', async () => {
    const redis = await redisServer(program)
    const server = await addingServer(1)
    const folder = sumsFolder(server.url, 300, { concurrency: 4, price })
    server.holdAfter(90)
    for (let worker = 0; worker < 3; worker++) begin(['worker', redis.url], folder)
    const queued = [...runArguments, '--queue', redis.url]
    const coordinator = begin([...queued, '--max-cost', '150'], folder)
    await until(() => server.seen.length > 90, 'rows are sent')
    coordinator.child.kill('SIGKILL')
    await coordinator.ended
    server.release()
    const resumed = begin([...queued, '-r'], folder)
    expect([await resumed.ended, resumed.said()]).toEqual([5, expect.stringContaining('--max-cost 150 is reached')])
    // A killed coordinator leaves its jobs on the queue: they are done, and their answers count.
    expect(server.seen.length).toBeGreaterThanOrEqual(149)
    expect(server.seen.length).toBeLessThanOrEqual(150 + 12)
    server.holdAfter(0)
    const timed = begin([...queued, '-r', '--max-cost', '1000', '--max-time', '0.5s'], folder)
    await until(() => timed.said().includes('--max-time is reached'), 'the time is over')
    server.release()
    expect([await timed.ended, timed.said()]).toEqual([5, expect.stringContaining('--max-time is reached')])
    const last = begin([...queued, '-r', '--max-time', '1h'], folder)
    expect(await last.ended).toBe(0)
    expect(recordsOf(join(folder, 'runs')).trim().split('\n')).toHaveLength(300)
    await redis.stop()
    await server.close()
  }, 240_000)

  test('rows that become more expensive exceed a limit only by those that workers have taken', async () => {
    const redis = await redisServer(program)
    let number = 0
    const server = await scriptedServer(() => (response) => {
      const completion_tokens = number++ < 60 ? 1 : 100
      const choices = [{ message: { role: 'assistant', content: '1' }, finish_reason: 'stop' }]
      const json = JSON.stringify({ choices, usage: { prompt_tokens: 0, completion_tokens } })
      setTimeout(() => response.setHeader('content-type', 'application/json').end(json), 300)
    })
    const folder = sumsFolder(server.url, 2000, { concurrency: 4 })
    for (let worker = 0; worker < 3; worker++) begin(['worker', redis.url], folder)
    const run = begin([...runArguments, '--queue', redis.url, '--max-tokens-total', '200'], folder)
    expect([await run.ended, run.said()]).toEqual([5, expect.stringMatching(/--max-tokens-total 200 is reached/)])
    expect(server.seen.length).toBeGreaterThan(60)
    // Each worker has four rows in flight, and at most one job of some five rows that come next; 64 rows are on the queue.
    expect(server.seen.length).toBeLessThanOrEqual(60 + 3 * (4 + 6))
    await redis.stop()
    await server.close()
  }, 120_000)
})
