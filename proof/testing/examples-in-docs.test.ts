import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { coreEntryPoints, entryPoints, needsNode } from '../../scripts/entry-points.ts'

// Every `@example` in a doc comment runs: `expression // => expected`, with the exports of all entry points and of its own module in scope.

type Example = { file: string; line: number; code: string }

const root = new URL('../../', import.meta.url)
const inside = ['core/src/internal/compile', 'core/src/internal/reply', 'core/src/internal/tokenizer']
const scored = ['evaluate/evaluators', 'postprocess/postprocessors'].map((path) => `rolecall/src/evaluation/score/${path}`)
const modules = [
  ...inside,
  ...scored,
  ...Object.values(coreEntryPoints).map((file) => `core/src/${file}`),
  ...Object.values(entryPoints).flatMap((file) => (needsNode.has(file) ? [] : [`rolecall/src/${file}`])),
]
const loaded: object[] = await Promise.all(modules.map((path) => import(/* @vite-ignore */ new URL(`packages/${path}.ts`, root).href)))
const everything: Record<string, unknown> = Object.assign({}, ...loaded)
const files = ['packages/core/src', 'packages/rolecall/src'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
    .map((file) => `${folder}/${file}`),
)
const examples = files.flatMap((file) => examplesIn(file, readFileSync(new URL(file, root), 'utf8')))

function examplesIn(file: string, source: string): Example[] {
  return [...source.matchAll(/\/\*\*.*?\*\//gs)].flatMap((comment) => {
    const lines = comment[0]
      .slice(3, -2)
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
    const tags = lines.flatMap((line, index) => (/^\s*@\w/.test(line) ? [index] : []))
    return tags.flatMap((start, index): Example[] => {
      const [first, ...rest] = lines.slice(start, tags[index + 1])
      if (!first!.trim().startsWith('@example')) return []
      const line = source.slice(0, comment.index).split('\n').length + start
      return [{ file, line, code: [first!.replace(/^\s*@example/, ''), ...rest].join('\n') }]
    })
  })
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor

/** Runs an example, which may `await`, and returns the actual and the promised value of each line with an arrow. */
async function run(code: string, scope: Record<string, unknown>): Promise<{ given: unknown; promised: unknown }[]> {
  const results: { given: unknown; promised: unknown }[] = []
  const promise = (given: unknown, promised: unknown) => results.push({ given, promised })
  const asked = code.replace(/^(.*\S)\s*\/\/ => (.*)$/gm, (_, expression, expected) => `promise((${expression}), (${expected}));`)
  const { outputText } = ts.transpileModule(asked, { compilerOptions: { target: ts.ScriptTarget.ES2022 }, reportDiagnostics: true })
  const names = { ...scope, promise }
  await new AsyncFunction(...Object.keys(names), outputText)(...Object.values(names))
  return results
}

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(4)
})

describe('examples in doc comments', () => {
  for (const { file, line, code } of examples) {
    test(`${file}:${line}`, async () => {
      const results = await run(code, { ...everything, ...(await import(new URL(file, root).href)) })
      expect(results, 'an example has a line `expression // => expected`').not.toEqual([])
      for (const { given, promised } of results) expect(given).toEqual(promised)
    })
  }
})

describe('the runner', () => {
  test('finds examples, in one line or several, up to the next tag', () => {
    const source = [
      '/** No example. */',
      '/**',
      ' * Adds.',
      ' * @example add(1, 2) // => 3',
      ' * @example',
      ' * add(2, 2) // => 4',
      ' * @see x',
      ' */',
    ].join('\n')
    expect(examplesIn('a.ts', source)).toEqual([
      { file: 'a.ts', line: 4, code: ' add(1, 2) // => 3' },
      { file: 'a.ts', line: 5, code: '\nadd(2, 2) // => 4' },
    ])
  })

  test("compares every line with an arrow, in TypeScript, with the module's exports in scope", async () => {
    const scope = { add: (a: number, b: number) => a + b }
    expect(await run('const one: number = 1\nadd(one, 2) // => 3\nadd(\n  1,\n  2,\n)\n({ a: one }) // => { a: 2 }', scope)).toEqual([
      { given: 3, promised: 3 },
      { given: { a: 1 }, promised: { a: 2 } },
    ])
    expect(await run('add(1, 2) // 3', scope)).toEqual([])
    expect(await run('await Promise.resolve(3) // => 3', scope)).toEqual([{ given: 3, promised: 3 }])
    await expect(run('missing(1) // => 1', scope)).rejects.toThrow('missing is not defined')
  })
})
