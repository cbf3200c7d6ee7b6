import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { keepPythonSnapshot } from '../testing/python-snapshot.ts'
import { sampleOf, seed, someOf, triesAll } from '../testing/sampling.ts'
import { countsOf, readCounts } from './counts.ts'
import { staleGaps, unlistedGaps } from './gaps.ts'
import { mangleKinds } from './mangle.ts'
import { type FileReport, runFolder } from './run-folder.ts'

const folder = fileURLToPath(new URL('../../../shared/conformance', import.meta.url))

keepPythonSnapshot()

// The reporter hides the names of skipped tests, so the reason is printed here.
if (!existsSync(folder)) console.warn(`golden vectors were skipped: ${folder} does not exist`)

test('gaps are those of the pinned counts', () => {
  expect(staleGaps(readCounts().files)).toEqual([])
})

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
    for (const [name, counts] of Object.entries(countsOf(report).files)) {
      const known = pinned.files[name]
      if (!known) throw new Error(`${name} has no counts: npm run conformance -- ../shared/conformance --pin`)
      expect({ name, more: moreThan(counts.rules, known.rules) }).toEqual({ name, more: [] })
      expect({ name, more: moreThan(counts.consistent, known.consistent) }).toEqual({ name, more: [] })
      if (triesAll) expect({ name, identical: comparable(counts) >= comparable(known) }).toEqual({ name, identical: true })
    }
  }, 1_800_000)

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
  }, 1_200_000)
})

/** Entries that occur more often than they are pinned. A sample cannot have more of a rule than all vectors have. */
function moreThan(counts: Readonly<Record<string, number>>, pinned: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([name, count]) => (count > (pinned[name] ?? 0) ? [`${name}: ${count}`] : []))
}

/** Identical vectors, with those that need an optional package, which may not be installed here. */
function comparable({ identical, unsupported }: Omit<FileReport, 'failed'>): number {
  return Object.entries(unsupported).reduce((sum, [what, count]) => sum + (what.endsWith('not installed') ? count : 0), identical)
}
