import { afterEach, expect, test } from 'vitest'
import { queueServers, queueServersText, type RedisServer, redisServer } from '../../../../proof/testing/redis-server.ts'
import { sampleOf } from '../../../../proof/testing/sampling.ts'
import { readAddress } from './address.ts'
import { Heartbeat } from './heartbeat.ts'
import { connect, type QueueClient } from './redis.ts'

const times = { lock: 1000, beat: 100, check: 300, look: 100 }
const opened: { servers: RedisServer[]; clients: QueueClient[]; beats: Heartbeat[] } = { servers: [], clients: [], beats: [] }

afterEach(async () => {
  for (const beat of opened.beats.splice(0)) await beat.stop()
  for (const client of opened.clients.splice(0)) client.close()
  for (const server of opened.servers.splice(0)) await server.stop()
})

/** A heartbeat with its own Redis server, on which jobs with these names are active. */
async function beating(program: string, ...active: string[]) {
  const server = await redisServer(program)
  const client = await connect(readAddress(server.url, 'the queue'))
  const troubles: string[] = []
  const heartbeat = new Heartbeat(client, times, { trouble: (problem) => troubles.push(problem) })
  opened.servers.push(server)
  opened.clients.push(client)
  opened.beats.push(heartbeat)
  const { redis } = client
  if (active.length > 0) await redis.eval(`return redis.call('RPUSH', KEYS[1], unpack(ARGV))`, 1, 'q:active', ...active)
  await heartbeat.ready
  return { redis, heartbeat, troubles }
}

test('a worker does not wait for a heartbeat thread that failed', async () => {
  const troubles: string[] = []
  const address = readAddress('redis://127.0.0.1:1', '--queue')
  const heartbeat = new Heartbeat({ address, library: '/nowhere/library.js' }, times, { trouble: (problem) => troubles.push(problem) })
  await heartbeat.ready
  expect(troubles).toEqual([expect.stringContaining('locks are no longer renewed')])
})

const [program = ''] = sampleOf(queueServers, 1)
const needs = queueServersText

test.skipIf(program === '')(`a lock that expired is acquired again while the job is still active (${needs})`, async () => {
  const { redis, heartbeat, troubles } = await beating(program, 'other', 'mine')
  await redis.eval(`redis.call('SADD', KEYS[1], 'mine')`, 1, 'q:stalled')
  let isLost = false
  heartbeat.tell({ kind: 'hold', job: 'mine', base: 'q:', token: 'me' }, () => {
    isLost = true
  })
  await expect.poll(() => redis.get('q:mine:lock'), { timeout: 30_000 }).toBe('me')
  expect(await redis.smembers('q:stalled')).toEqual([])
  expect(await redis.get('q:other:lock')).toBe(null)
  expect([isLost, troubles]).toEqual([false, []])
})

test.skipIf(program === '')(
  `a job that went back to the queue, or to another worker, is reported once and left alone (${needs})`,
  async () => {
    const { redis, heartbeat } = await beating(program, 'taken')
    await redis.set('q:taken:lock', 'another')
    const lost: string[] = []
    for (const job of ['waiting', 'taken', 'dropped']) heartbeat.tell({ kind: 'hold', job, base: 'q:', token: 'me' }, () => lost.push(job))
    heartbeat.tell({ kind: 'drop', job: 'dropped', base: 'q:' })
    await expect.poll(() => lost.toSorted(), { timeout: 30_000 }).toEqual(['taken', 'waiting'])
    expect([await redis.get('q:taken:lock'), await redis.get('q:waiting:lock')]).toEqual(['another', null])
    // A later beat renews what it holds and reports nothing again.
    await redis.set('q:mine:lock', 'me', 'PX', 5000)
    heartbeat.tell({ kind: 'hold', job: 'mine', base: 'q:', token: 'me' })
    await expect.poll(() => redis.eval(`return redis.call('PTTL', 'q:mine:lock') <= 1000`, 0), { timeout: 30_000 }).toBe(1)
    expect(lost).toHaveLength(2)
  },
)

test.skipIf(program === '')(`a job taken again just before its loss is heard is lost to the thread, too (${needs})`, async () => {
  const { redis, heartbeat } = await beating(program, 'mine')
  await redis.set('q:mine:lock', 'newer', 'PX', 3000)
  let isLost = false
  while (!isLost) {
    heartbeat.tell({ kind: 'hold', job: 'mine', base: 'q:', token: 'older' })
    // Meanwhile the thread finds another token, and its message waits for this one.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4 * times.beat)
    heartbeat.tell({ kind: 'hold', job: 'mine', base: 'q:', token: 'newer' }, () => {
      isLost = true
    })
    await new Promise((resolve) => setTimeout(resolve, times.beat / 2))
  }
  heartbeat.tell({ kind: 'hold', job: 'other', base: 'q:', token: 'newer' })
  await expect.poll(() => redis.get('q:mine:lock'), { timeout: 30_000 }).toBe(null)
})
