import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { someOf } from '../testing/some-of.ts'
import { runFolder } from './run-folder.ts'

const folder = fileURLToPath(new URL('../../shared/conformance', import.meta.url))

// The reporter hides the names of skipped tests, so that the reason is said here.
if (!existsSync(folder)) console.warn(`golden vectors were skipped: ${folder} is not there`)

describe.skipIf(!existsSync(folder))(`golden vectors (skipped where ${folder} is not there)`, () => {
  const which = process.env.CI ? 'all' : 'a fifth of the'
  test(`${which} vectors the runner knows pass or fall under a rule (all of them in CI and by npm run conformance)`, async () => {
    const failures: string[] = []
    const { files } = await runFolder(
      folder,
      ({ id, why }) => failures.push(`${id}: ${why.slice(0, 500)}`),
      (lines) => someOf(lines, Math.ceil(lines.length / 5)),
    )
    expect(failures.slice(0, 10)).toEqual([])
    expect(Object.keys(files).length).toBeGreaterThan(10)
    const left = Object.entries(files).flatMap(([name, { later }]) => (/^(?:mlc|opencompass|chat)\//.test(name) && later > 0 ? [name] : []))
    expect(left).toEqual([])
  }, 600_000)
})
