import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { seed, someOf, triesAll } from '../testing/sampling.ts'
import { runFolder } from './run-folder.ts'

const folder = fileURLToPath(new URL('../../shared/conformance', import.meta.url))

// The reporter hides the names of skipped tests, so the reason is printed here.
if (!existsSync(folder)) console.warn(`golden vectors were skipped: ${folder} does not exist`)

describe.skipIf(!existsSync(folder))(`golden vectors (skipped if ${folder} does not exist)`, () => {
  const which = triesAll ? 'all vectors' : `a fiftieth of the vectors (seed ${seed}; npm run conformance judges all)`
  test(`${which} pass or fall under a documented rule`, async () => {
    const failures: string[] = []
    const { files } = await runFolder(
      folder,
      ({ id, why }) => failures.push(`${id}: ${why.slice(0, 500)}`),
      (lines) => someOf(lines, Math.ceil(lines.length / 50)),
    )
    expect(failures.slice(0, 10)).toEqual([])
    expect(Object.keys(files).length).toBeGreaterThan(10)
    const left = Object.entries(files).flatMap(([name, { later }]) => (/^(?:mlc|opencompass|chat)\//.test(name) && later > 0 ? [name] : []))
    expect(left).toEqual([])
  }, 600_000)
})
