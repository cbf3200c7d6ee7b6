import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needsNode } from '../../scripts/entry-points.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Manifest = { name: string; version: string; dependencies?: Record<string, string>; bin?: object; exports: Record<string, Target> }
type Target = string | Record<string, string>

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const folders = ['packages/core', 'packages/rolecall', 'packages/adapters']

function pathsIn(value: object): string[] {
  return Object.values(value).flatMap((one: Target) => (typeof one === 'string' ? [one] : pathsIn(one)))
}

test.each(folders)('the build of %s contains every file that its package.json names, with types', (folder) => {
  const { bin = {}, exports } = manifestOf(folder)
  const paths = pathsIn([bin, exports]).filter((path) => !path.includes('*'))
  expect(paths.some((path) => path.endsWith('.d.ts'))).toBe(true)
  // `npm ci --ignore-scripts` builds nothing, and the tests only the code.
  const built = paths.filter((path) => /\/dist\/js\//.test(path) || existsSync(join(root, folder, 'dist/types')))
  expect(built.filter((path) => !existsSync(join(root, folder, path)))).toEqual([])
})

test.each(folders)('every entry point of %s has its source, types and code under one name', (folder) => {
  const entries = Object.entries(manifestOf(folder).exports).filter(([name]) => !/json$|\*/.test(name))
  expect(entries.length).toBeGreaterThan(4)
  for (const [name, target] of entries) {
    const path = name === '.' ? 'index' : name.slice(2)
    const [bundled, alone] = [`./dist/js/${path}.js`, `./dist/modules/${path}.js`]
    expect(target).toEqual({
      'rolecall-source': `./src/${path}.ts`,
      types: `./dist/types/${path}.d.ts`,
      ...codeOf(folder, path, bundled, alone),
    })
  }
})

/** Bundlers get modules on every platform; what needs Node is only bundled, and says so elsewhere if the root offers it. */
function codeOf(folder: string, path: string, bundled: string, alone: string): Record<string, string> {
  // Each adapter is loaded alone, beside what it adapts.
  if (folder === 'packages/adapters') return { default: bundled }
  if (path === 'files') return { node: bundled, default: './dist/modules/needs-node.js' }
  return needsNode.has(path) ? { default: bundled } : { module: alone, node: bundled, default: alone }
}

test('a clone offers what the package rolecall offers', () => {
  const [clone, published] = ['.', 'packages/rolecall'].map(manifestOf) as [Manifest, Manifest]
  const inClone = (path: string) => path.replace(/^\.\//, './packages/rolecall/')
  const { '.': main, './*': others } = clone.exports as Record<string, Record<string, string>>
  for (const [name, target] of Object.entries(published.exports)) {
    if (typeof target === 'string' || name.includes('*')) continue
    const star = name.slice(2)
    const offered = clone.exports[name] ?? Object.fromEntries(Object.entries(others!).map(([key, path]) => [key, path.replace('*', star)]))
    const wanted = Object.fromEntries(Object.entries(target).map(([key, path]) => [key, inClone(path)]))
    expect(name === '.' ? main : offered).toEqual(wanted)
  }
  expect(clone.bin).toEqual({ rolecall: 'packages/rolecall/bin/rolecall.mjs' })
})

test('our packages depend on exactly one version of each other', () => {
  const [core, rolecall, adapters] = folders.map(manifestOf) as [
    Manifest,
    Manifest,
    Manifest & { peerDependencies: Record<string, string> },
  ]
  expect([adapters.version, adapters.dependencies?.['@rolecall/core'], adapters.peerDependencies.rolecall]).toEqual(
    Array(3).fill(core.version),
  )
  expect(rolecall.version).toBe(core.version)
  expect(rolecall.dependencies?.['@rolecall/core']).toBe(core.version)
  expect(Object.keys(core.dependencies ?? {})).toEqual(['@huggingface/tokenizers'])
})
