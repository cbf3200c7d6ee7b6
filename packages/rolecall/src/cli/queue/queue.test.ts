import { expect, test } from 'vitest'
import { sumsFolder } from '../../../../../proof/testing/queued-run.ts'
import { hasQueuePeers } from '../../../../../proof/testing/redis-server.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

test('a wrong queue address, model or header is reported before anything is created', async () => {
  const folder = sumsFolder('http://127.0.0.1:1/v1', 1)
  const problem = hasQueuePeers ? 'no connection to this Redis or Valkey server' : 'queues need the packages bullmq and ioredis'
  const unreachable = await rolecall(['run', 'eval.json', '--queue', 'redis://me:hunter22@127.0.0.1:1'], folder)
  expect([unreachable.code, unreachable.stderr]).toEqual([2, expect.stringContaining(problem)])
  expect(unreachable.stderr).not.toContain('hunter22')
  expect((await rolecall(['run', 'eval.json', '--queue'], folder)).stderr).toContain('ROLECALL_QUEUE')
  expect((await rolecall(['worker', 'http://x'], folder)).stderr).toContain('is not an address')
  const secret = sumsFolder('http://127.0.0.1:1/v1', 1, { headers: { 'x-own': 'hunter-22' } })
  const refused = await rolecall(['run', 'eval.json', '--queue', 'redis://127.0.0.1:1'], secret)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('write $NAME for the value of a header')])
})
