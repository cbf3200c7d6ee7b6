import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { sampleOf, seed, someOf, triesAll } from '../testing/sampling.ts'
import { countsOf, readCounts } from './counts.ts'
import { unlistedGaps } from './gaps.ts'
import { mangleKinds } from './mangle.ts'
import { type FileReport, runFolder } from './run-folder.ts'

const folder = fileURLToPath(new URL('../../shared/conformance', import.meta.url))

// The reporter hides the names of skipped tests, so the reason is printed here.
if (!existsSync(folder)) console.warn(`golden vectors were skipped: ${folder} does not exist`)

describe.skipIf(!existsSync(folder))(`golden vectors (skipped if ${folder} does not exist)`, () => {
  const which = triesAll ? 'all vectors' : `a fiftieth of the vectors (seed ${seed}; npm run conformance judges all)`
  test(`${which}: as the reference, or as a rule promises, and counted as in counts.json`, async () => {
    const failures: string[] = []
    const report = await runFolder(folder, {
      onFailure: ({ id, why }) => failures.push(`${id}: ${why.slice(0, 500)}`),
      choose: (lines) => someOf(lines, Math.ceil(lines.length / 50)),
    })
    expect(failures.slice(0, 10)).toEqual([])
    expect(unlistedGaps(report)).toEqual([])
    const pinned = readCounts()
    if (triesAll) expect(compared(countsOf(report).files)).toEqual(compared(pinned.files))
    // A sample cannot have more deviations of a rule than all vectors have.
    for (const [name, { rules }] of Object.entries(report.files))
      for (const [rule, count] of Object.entries(rules))
        expect({ name, rule, isPinned: count <= (pinned.files[name]?.rules[rule] ?? 0) }).toEqual({ name, rule, isPinned: true })
  }, 600_000)

  test('distorted results are noticed', async () => {
    const { mangled } = await runFolder(folder, {
      choose: (lines) => sampleOf(lines, Math.min(12, lines.length)),
      mangle: true,
    })
    for (const kind of mangleKinds) {
      const { distorted, unnoticed } = mangled![kind]
      expect(distorted).toBeGreaterThan(10)
      expect({ kind, unnoticed: unnoticed.slice(0, Math.ceil(0.02 * distorted)) }).toEqual({
        kind,
        unnoticed: unnoticed.slice(0, Math.floor(0.02 * distorted)),
      })
    }
  }, 600_000)
})

/** What is installed decides which vectors can be judged: those that need an optional package are not compared. */
function compared(files: Record<string, Omit<FileReport, 'failed'>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files).map(([name, { rules, total, identical, unsupported, ...others }]) => {
      const optional = Object.entries(unsupported).filter(([what]) => what.endsWith('not installed'))
      const missing = optional.reduce((sum, [, count]) => sum + count, 0)
      return [name, { rules, total, identicalOrOptional: identical + missing, ...others }]
    }),
  )
}
