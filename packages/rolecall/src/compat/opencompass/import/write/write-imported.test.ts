import fc from 'fast-check'
import { createJiti } from 'jiti'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { importConfig } from '../import-config.ts'
import { configKinds, writeImported } from './write-imported.ts'

const text = `
models = [
    # the one that everybody has
    dict(abbr='it\\'s "m"', begin='a\\n' + 'b' * 130 + '\\n\\nc\\t\\u2028', n=[1, 0.5, -2, None, True], empty=[{}, [], ''],  # behind
         ids=[1, 2, 3]),
]
datasets = [dict(abbr='d', infer_cfg=dict(prompt_template=dict(template={'A': '{q}', 1: 'x', 'no-name': 'y'})))]`
const imported = importConfig('c.py', { read: () => text })

const readBack: Record<(typeof configKinds)[number], (written: string) => unknown> = {
  ts: (written) => runTypeScript(written),
  json: (written) => JSON.parse(written),
  yaml: (written) => parse(written),
}

for (const kind of configKinds) {
  test(`what is written as ${kind} says the same`, () => {
    expect(readBack[kind](writeImported(imported, kind, 'c.py'))).toEqual(imported.config)
  })

  test(`any text survives ${kind}`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 4 }),
        fc.string({ unit: 'grapheme' }),
        (texts, key) => {
          const config = { models: [{ [key]: texts, a: { b: texts.join('\n') } }], datasets: [] }
          const written = writeImported({ config, remarks: new WeakMap() }, kind, 'c.py')
          expect(readBack[kind](written)).toEqual({ models: config.models })
        },
      ),
      { numRuns: kind === 'ts' ? 15 : 60 },
    )
  })
}

describe('comments', () => {
  test('keep their position in TypeScript', () => {
    const written = writeImported(imported, 'ts', 'c.py')
    expect(written).toContain("      empty: [{}, [], ''], // behind\n")
  })

  test('keep their position in YAML, above multi-line values', () => {
    const written = writeImported(imported, 'yaml', 'c.py')
    expect(written).toContain('    # behind\n    empty:\n')
  })

  test('cannot break out of their line', () => {
    const model = { a: 1 }
    const remarks = new WeakMap([[model as object, new Map([['a', { before: ['x\n evil: 1'], behind: 'y\u2028evil()' }]])]])
    const written = writeImported({ config: { models: [model], datasets: [] }, remarks }, 'ts', 'c\nevil()')
    expect(runTypeScript(written)).toEqual({ models: [{ a: 1 }] })
    expect(written.split('\n').filter((line) => line.trimStart().startsWith('evil'))).toEqual([])
  })
})

/** Evaluates the object, as a config file would be. */
function runTypeScript(written: string): unknown {
  const jiti = createJiti(import.meta.url, { fsCache: false })
  const body = written.replace("import { defineConfig } from 'rolecall'", 'const defineConfig = (config: unknown) => config')
  return (jiti.evalModule(body, { filename: '/tmp/c.ts' }) as { default: unknown }).default
}
