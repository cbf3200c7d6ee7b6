import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

/**
 * Keeps the snapshot of the Python sandbox between tests and test runs, as for users: the first start takes ten times as long as later
 * ones. Nothing else is stored there.
 */
export function keepPythonSnapshot(): void {
  let before: string | undefined
  beforeAll(() => {
    before = process.env.ROLECALL_CACHE
    process.env.ROLECALL_CACHE = fileURLToPath(new URL('../../.cache/tests', import.meta.url))
  })
  afterAll(() => {
    if (before === undefined) delete process.env.ROLECALL_CACHE
    else process.env.ROLECALL_CACHE = before
  })
}
