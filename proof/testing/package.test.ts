import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { entryPoints, needsNode } from '../../packages/rolecall/src/node/entry-points.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: object; exports: object }

function pathsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(pathsIn)
}

test('the build contains every file that package.json names, with types', ({ skip }) => {
  if (!existsSync(join(root, 'packages/rolecall/dist/index.d.ts'))) return skip('nothing is built here: npm run build')
  const paths = pathsIn([bin, exports])
  expect(paths).toContain('./dist/node.d.ts')
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('package.json exports the entry points: bundled for Node, file by file for bundlers unless they need Node', () => {
  const offered = Object.entries(exports).filter(([name]) => !name.endsWith('.json'))
  const expected = Object.entries(entryPoints).map(([name, file]) => {
    const [types, bundled] = [`./dist/${file}.d.ts`, `./dist/bundle/${file}.js`]
    return [
      name.replace('rolecall', '.'),
      needsNode.has(file) ? { types, default: bundled } : { types, node: bundled, default: `./dist/${file}.js` },
    ]
  })
  expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(expected))
})
