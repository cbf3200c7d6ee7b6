import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeAll } from './judge-all.ts'
import { shared } from './shared-requests.ts'

// Every request of the data set on every twelfth template; `npm run proof -- agents` takes all of them.

test.skipIf(!existsSync(shared('agents/expected.jsonl')))(
  'requests of agents lose nothing without a word (skipped without ../shared)',
  () => {
    const { counts, refusedShare } = judgeAll({ every: 12 })
    expect({ silent: counts.silent, failed: counts.failed }).toEqual({ silent: 0, failed: 0 })
    expect(counts.kept).toBeGreaterThan(1000)
    expect(refusedShare).toBeLessThan(0.05)
  },
)
