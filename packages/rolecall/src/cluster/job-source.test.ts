import { afterEach, expect, test } from 'vitest'
import { queueServers, queueServersText, type RedisServer, redisServer } from '../../../../proof/testing/redis-server.ts'
import { sampleOf } from '../../../../proof/testing/sampling.ts'
import { readAddress } from './address.ts'
import { JobSource } from './job-source.ts'
import type { JobData } from './protocol.ts'
import { connect, type QueueClient } from './redis.ts'

const times = { lock: 2000, beat: 100, check: 100, look: 100 }
const opened: { servers: RedisServer[]; clients: QueueClient[] } = { servers: [], clients: [] }

afterEach(async () => {
  for (const client of opened.clients.splice(0)) client.close()
  for (const server of opened.servers.splice(0)) await server.stop()
})

const [program = ''] = sampleOf(queueServers, 1)

test.skipIf(program === '')(`a job that is read late is kept while it is active, and counts no death (${queueServersText})`, async () => {
  const server = await redisServer(program)
  opened.servers.push(server)
  const client = await connect(readAddress(server.url, 'the queue'))
  opened.clients.push(client)
  const { redis } = client
  const jobs = client.queue('q')
  const source = new JobSource(client, 'q', times)
  const data: JobData = { setup: '', pair: { model: 'm', dataset: 'd' }, rows: '' }
  await jobs.addBulk([{ name: 'rows', data, opts: { jobId: 'one' } }])
  const job = (await source.next(() => undefined))!
  const lock = `${source.keyOf('one')}:lock`
  expect(await redis.get(lock)).toBe(source.token)
  job.processedOn = Date.now() - times.lock

  // Its lock has expired, and the next check for stalled jobs would count a death.
  await redis.del(lock)
  await redis.eval(`redis.call('SADD', KEYS[1], 'one')`, 1, source.keyOf('stalled'))
  expect(await source.isLate(job)).toBe(false)
  expect([await redis.get(lock), await redis.smembers(source.keyOf('stalled'))]).toEqual([source.token, []])

  await redis.set(lock, 'another')
  expect([await source.isLate(job), await redis.get(lock)]).toEqual([true, 'another'])

  // Back in the queue.
  await redis.set(lock, source.token)
  await source.giveBack(job)
  expect([await source.isLate(job), await redis.get(lock)]).toEqual([true, null])
  await source.end(() => true)
})
