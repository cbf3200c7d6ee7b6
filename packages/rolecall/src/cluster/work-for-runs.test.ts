import { expect, test } from 'vitest'
import { queueServers, queueServersText, redisServer } from '../../../../proof/testing/redis-server.ts'
import { sampleOf } from '../../../../proof/testing/sampling.ts'
import { ownVersion } from '../node/own-files.ts'
import { readAddress } from './address.ts'
import { keys, type RunNotice, setupHash } from './protocol.ts'
import { connect } from './redis.ts'
import { workForRuns } from './work-for-runs.ts'

const [program = ''] = sampleOf(queueServers, 1)

test.skipIf(program === '')(`a run whose config changes has not ended for a worker (${queueServersText})`, async () => {
  const server = await redisServer(program)
  const client = await connect(readAddress(server.url, 'the queue'))
  const publish = async (folder: string) => {
    const setup = { folder, files: [], config: JSON.stringify({ models: [], datasets: [] }), selection: {}, keepPrompts: false }
    const notice: RunNotice = {
      ...{ version: ownVersion(), setup: setupHash(setup), models: [{ model: 'm' }], host: '', started: '' },
    }
    await client.redis.set(keys.setup('r'), JSON.stringify(setup))
    await client.redis.hset(keys.runs, 'r', JSON.stringify(notice))
  }
  const events: string[] = []
  const stop = new AbortController()
  const working = workForRuns(server.url, {
    stop: stop.signal,
    onEvent(event) {
      if (event.kind === 'begin') events.push('begin')
      if (event.kind === 'end') events.push(event.isAgain ? 'end, again' : 'end')
    },
  })
  try {
    await publish('/a')
    await expect.poll(() => events, { timeout: 60_000 }).toEqual(['begin'])
    await publish('/b')
    await expect.poll(() => events, { timeout: 60_000 }).toEqual(['begin', 'end, again', 'begin'])
    await client.redis.hdel(keys.runs, 'r')
    await expect.poll(() => events, { timeout: 60_000 }).toEqual(['begin', 'end, again', 'begin', 'end'])
  } finally {
    stop.abort()
    await working
    client.close()
    await server.stop()
  }
})
