import { expect, test } from 'vitest'
import { hasCodeToRun, readPages } from './page.ts'
import { originalOf } from './translations.ts'
import { currentVersion, triedVersions } from './tried-versions.ts'

test('every page with code has the version it was last tried with; if not, run node scripts/ts.mjs docs/code-blocks.ts --write PAGE', () => {
  const withCode = readPages().filter((page) => originalOf(page.name) === undefined && hasCodeToRun(page))
  expect(Object.keys(triedVersions()).sort()).toEqual(withCode.map(({ name }) => name).sort())
})

test('no page was tried with a version that is still to come', () => {
  const numbers = (version: string) => version.split('.').map(Number)
  const isLater = (version: string) => {
    const [some, current] = [numbers(version), numbers(currentVersion())]
    const place = some.findIndex((number, index) => number !== current[index])
    return place !== -1 && some[place]! > current[place]!
  }
  expect(Object.entries(triedVersions()).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version) || isLater(version))).toEqual([])
})
