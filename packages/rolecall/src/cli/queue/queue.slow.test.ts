import { mkdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addingServer, type Process, recordsOf, start, sumsFolder, until } from '../../../../../proof/testing/queued-run.ts'
import { queueServers, queueServersText, type RedisServer, redisServer } from '../../../../../proof/testing/redis-server.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { sampleOf } from '../../../../../proof/testing/sampling.ts'
import type { QueueState } from '../../cluster/queue-state.ts'

const times = { ROLECALL_QUEUE_LOCK: '2', OPENAI_API_KEY: 'sk-hunter44' }
const started: Process[] = []
const begin = (...given: Parameters<typeof start>) => {
  const one = start(given[0], given[1], { ...times, ...given[2] })
  started.push(one)
  return one
}
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL')
})

// If both servers are installed, the seed picks one; `npm run proof -- chaos --server` selects one.
const [program = ''] = sampleOf(queueServers, 1)
describe.skipIf(program === '')(`a queue on ${program || 'no server'} (${queueServersText})`, () => {
  let redis: RedisServer
  let adder: Awaited<ReturnType<typeof addingServer>>
  let expected: string
  const rows = 120
  beforeAll(async () => {
    redis = await redisServer(program)
    adder = await addingServer(15)
    const folder = sumsFolder(adder.url, rows)
    await rolecall(['run', 'eval.json', '-w', 'runs', '--no-cache'], folder)
    expected = recordsOf(join(folder, 'runs'))
    adder.asked.clear()
  }, 60_000)
  afterAll(async () => {
    await redis?.stop()
    await adder?.close()
  })

  const repeated = () => [...adder.asked.values()].reduce((sum, times) => sum + times - 1, 0)
  const run = (folder: string, ...more: string[]) =>
    begin(['run', 'eval.json', '-w', 'runs', '--no-cache', '--queue', redis.url, ...more], folder)

  test('survives the death of a worker, of the coordinator and of Redis: every row once, as without a queue', async () => {
    const folder = sumsFolder(adder.url, rows)
    mkdirSync(join(folder, 'runs'))
    const workers = [begin(['worker', redis.url], folder), begin(['worker', redis.url], folder)]
    let coordinator = run(folder)
    await until(() => adder.asked.size >= 15, 'rows are asked')
    workers[0]!.child.kill('SIGKILL')
    await until(() => adder.asked.size >= 40, 'the other worker goes on')
    coordinator.child.kill('SIGKILL')
    await coordinator.ended
    coordinator = run(folder, '-r')
    await until(() => adder.asked.size >= 70, 'another coordinator goes on')
    redis.kill('SIGKILL')
    await redis.start()
    const code = await coordinator.ended
    expect([code, coordinator.said()]).toEqual([0, expect.stringContaining('100.0')])
    expect(recordsOf(join(folder, 'runs'))).toBe(expected)
    // A worker sends 4 rows concurrently; Redis may have lost the jobs of both.
    expect(repeated()).toBeLessThanOrEqual(3 * 8)
    workers[1]!.child.kill('SIGTERM')
    expect(await workers[1]!.ended).toBe(0)
    const { stdout } = await rolecall(['queue', redis.url, '--json'])
    expect(JSON.parse(stdout) as QueueState).toMatchObject({ runs: [], workers: [] })
  }, 180_000)

  test('allows one coordinator per run; workers leave on --drain; credentials are not recorded', async () => {
    adder.asked.clear()
    const folder = sumsFolder(adder.url, rows)
    const login = redis.url.replace('://', '://default:hunter22@')
    let coordinator = run(folder)
    await until(
      async () => (JSON.parse((await rolecall(['queue', redis.url, '--json'])).stdout) as QueueState).runs.length === 1,
      'it is there',
    )
    const second = await run(folder, '-r').ended
    expect(second).toBe(2)
    expect(started.at(-1)!.said()).toContain('still in progress')
    expect((await rolecall(['queue', login])).stderr).not.toContain('hunter22')
    // No worker has taken a row, so it does not wait.
    coordinator.child.kill('SIGTERM')
    expect(await coordinator.ended).toBe(130)
    coordinator = run(folder, '-r')
    const worker = begin(['worker', redis.url, '--concurrency', '2', '--models', 'adder,addr'], folder)
    await until(() => adder.asked.size >= 10, 'rows are asked')
    expect(worker.said()).toContain('no run on the queue has a model "addr" yet; they have: adder')
    expect((await rolecall(['queue', redis.url, '--drain'])).stderr).toContain('--yes')
    await rolecall(['queue', redis.url, '--drain', '--yes'])
    expect(await worker.ended).toBe(0)
    expect(worker.said()).toContain('asked to exit')
    begin(['worker', redis.url], folder)
    expect(await coordinator.ended).toBe(0)
    expect(recordsOf(join(folder, 'runs'))).toBe(expected)
    // Returned rows were not sent yet.
    expect(repeated()).toBe(0)
    expect(await textBelow(redis.folder)).toContain('rolecall:runs')
    expect(await textBelow(redis.folder)).not.toMatch(/hunter/)
  }, 180_000)

  test('a coordinator or worker stopped while Redis is down exits, and the run resumes later', async () => {
    adder.asked.clear()
    // The run cannot be over before they are stopped, on any machine.
    adder.holdAfter(adder.seen.length + 10)
    const folder = sumsFolder(adder.url, rows)
    const coordinator = run(folder)
    const worker = begin(['worker', redis.url, '--concurrency', '2', '--grace', '1'], folder)
    await until(() => adder.asked.size >= 10, 'rows are asked')
    redis.kill('SIGKILL')
    for (const { child } of [coordinator, worker]) child.kill('SIGTERM')
    expect(await coordinator.ended).toBe(130)
    await worker.ended
    adder.release()
    await redis.start()
    begin(['worker', redis.url], folder)
    expect(await run(folder, '-r').ended).toBe(0)
    expect(recordsOf(join(folder, 'runs'))).toBe(expected)
  }, 180_000)
})

/** The contents of all files in a folder. */
async function textBelow(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))).join('')
}
