import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

/**
 * Lets the Python sandbox keep its snapshot between tests and runs of tests, as it does for users: a first start takes ten times as
 * long as a later one. Nothing else is kept there.
 */
export function keepPythonSnapshot(): void {
  let before: string | undefined
  beforeAll(() => {
    before = process.env.ROLECALL_CACHE
    process.env.ROLECALL_CACHE = fileURLToPath(new URL('../.cache/tests', import.meta.url))
  })
  afterAll(() => {
    if (before === undefined) delete process.env.ROLECALL_CACHE
    else process.env.ROLECALL_CACHE = before
  })
}
