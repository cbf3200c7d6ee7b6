import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { entryPoints } from '../../scripts/entry-points.ts'
import { bundleOf, entryPointSizes } from './bundle-sizes.ts'

const budgets = entryPointSizes.flatMap(({ entry, sizes }) => (sizes === 'Node' ? [] : sizes.map((size) => ({ entry, ...size }))))

test('every entry point has its sizes', () => {
  expect(entryPointSizes.map(({ entry }) => entry).sort()).toEqual(Object.keys(entryPoints).sort())
})

test.for(budgets)('$names of $entry: at most $kilobytes kB, $gzipped kB gzipped', async ({ entry, names, kilobytes, gzipped }) => {
  const code = await bundleOf(entry, names)
  expect(code.length / 1000, 'kB').toBeLessThan(kilobytes)
  expect(gzipSync(code).length / 1000, 'kB gzipped').toBeLessThan(gzipped)
})
