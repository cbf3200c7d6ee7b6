import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faults } from '../../../../../proof/testing/chaos/faults/faults.ts'
import { openStage, type Stage } from '../../../../../proof/testing/chaos/faults/stage.ts'
import { queueServers, queueServersText } from '../../../../../proof/testing/redis-server.ts'
import { sampleOf } from '../../../../../proof/testing/sampling.ts'

// Each fault takes several processes and seconds: the seed picks one; `npm run proof -- chaos faults` tries all.
const quick = faults.filter(({ isLong }) => !isLong)

describe.skipIf(queueServers.length === 0)(`a fault on a queue (${queueServersText})`, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(sampleOf(queueServers, 1)[0]!, 160)
  }, 60_000)
  afterAll(async () => {
    await stage?.clear()
    await stage?.close()
  })

  for (const { name, holds, attempt, lacks } of sampleOf(quick, 1)) {
    const lacking = lacks?.()
    test.skipIf(lacking !== undefined)(
      `${name}: ${lacking === undefined ? holds : `needs ${lacking}`}`,
      async () => {
        expect(await attempt(stage, { stop: 4, partition: 2 })).toEqual(expect.any(String))
      },
      120_000,
    )
  }
})
