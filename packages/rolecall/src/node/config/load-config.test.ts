import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { loadConfig } from './load-config.ts'
import { fileError } from './read-text.ts'

const lib =
  'type Shape = { a: 1 }\nexport function boom(x: unknown): number {\n  const y: any = undefined\n  return (x as any) && y.foo.bar\n}\n'

/** The error for a config, with paths relative to its folder. */
async function mistake(files: Record<string, string | Uint8Array>, file = Object.keys(files)[0]!) {
  const folder = folderWith(files)
  const error = await loadConfig(join(folder, file)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PromptError)) throw new Error(`no PromptError: ${String(error)}`)
  // Errors show paths relative to the working folder.
  const name = basename(folder)
  return [error.where.slice(error.where.indexOf(name) + name.length + 1), error.problem, error.fix]
}

describe('errors in a config module have a position', () => {
  test.each([
    [
      'syntax',
      { 'c.ts': 'const a: number = 1\n\nexport default { models: [ , }\n' },
      'c.ts:3:30',
      'this is not JavaScript or TypeScript (Unexpected token',
    ],
    [
      'syntax of an import',
      { 'c.ts': 'import "./lib/d.ts"\nexport default {}\n', 'lib/d.ts': 'let x = \n' },
      'lib/d.ts:2:1',
      'this is not Java',
    ],
    ['JavaScript', { 'c.mjs': 'const q = {}\nexport default { a: q.b. }\n' }, 'c.mjs:2:26', 'this is not Java'],
    [
      'a run-time error',
      { 'c.ts': 'type A = {\n  b: 1\n}\nconst value = undefined as any as A\nexport default { m: value.b }\n' },
      'c.ts:5:27',
      "TypeError: Cannot read properties of undefined (reading 'b')",
    ],
    ['on the first line', { 'c.ts': 'const a: number = (undefined as any).b; export default { a }\n' }, 'c.ts:1:38', "(reading 'b')"],
    [
      'within an import',
      { 'c.ts': 'import { boom } from "./lib.ts"\nexport default { a: boom(1) }\n', 'lib.ts': lib },
      'lib.ts:4:26',
      "(reading 'foo')",
    ],
    [
      'a thrown Error',
      { 'c.mts': 'await Promise.resolve()\n  throw new Error("no luck:\\nat all")\nexport default {}\n' },
      'c.mts:2:9',
      'running it failed (no luck)',
    ],
    ['JavaScript at run time', { 'c.mjs': 'const q = {}\n\nexport default { a: q.b.c }\n' }, 'c.mjs:3:25', "(reading 'c')"],
    [
      'an import that is not there',
      { 'c.ts': 'const a = 1\nimport "./missing.ts"\nexport default { a }\n' },
      'c.ts:2:1',
      "Cannot find module './missing.ts'",
    ],
    [
      'a rejected promise',
      { 'c.ts': 'const make = async () => {\n  throw new RangeError("too far")\n}\nexport default make()\n' },
      'c.ts:2:9',
      'RangeError: too far',
    ],
    ['no Error', { 'c.ts': 'throw "plain"\n' }, 'c.ts', 'running it threw "plain"'],
    ['undefined thrown', { 'c.ts': 'throw undefined\n' }, 'c.ts', 'running it threw undefined'],
    ['no default export', { 'c.ts': 'export const a = 1\n' }, 'c.ts', 'there is no default export'],
    ['no export', { 'c.mjs': 'export {}\n' }, 'c.mjs', 'there is no default export'],
    ['a function', { 'c.ts': 'export default () => ({ models: [] })\n' }, 'c.ts', 'the default export is a function'],
  ])('%s', async (_, files, place, problem) => {
    const [where, told, fix] = await mistake(files as Record<string, string>)
    expect(where).toBe(place)
    expect(told).toContain(problem)
    expect(fix).not.toBe('')
  })

  test('promises are awaited, and named exports form a config', async () => {
    const dataset =
      "{ abbr: 'd', rows: [{ q: '1' }], reader_cfg: { input_columns: ['q'] }, infer_cfg: { prompt_template: { template: '{q}' } } }"
    const folder = folderWith({
      'promise.ts': `export default Promise.resolve({ models: [], datasets: [${dataset}] })`,
      'names.ts': `export const models = []\nexport const datasets = [${dataset}]`,
    })
    for (const name of ['promise.ts', 'names.ts']) expect((await loadConfig(join(folder, name))).config.datasets[0]!.abbr).toBe('d')
  })
})

describe('errors in other configs have line and column', () => {
  test.each([
    ['c.yaml', 'models:\n  - abbr: m\n    type: [openai\ndatasets: []\n', 'c.yaml:4:1', 'this is not YAML ('],
    ['c.yml', 'a: 1\na: 2\n', 'c.yml:2:1', 'this is not YAML (Map keys must be unique)'],
    ['c.yaml', 'models: !mine []\n', 'c.yaml:1:9', 'it has an unknown tag: !mine'],
    ['c.json', '{\n  "a": {"b": [1]},\n  "a" : 2}\n', 'c.json:3:3', 'the key "a" is there twice'],
    ['c.json', '{"a": [{"b": "a"}, {"b": "}\\\\"}], "b": {"\\u0062": 1, "b": 2}}', 'c.json:1:54', 'the key "b" is there twice'],
    ['c.json', '{\n  "models": [],\n  "datasets": }\n', 'c.json:3:15', 'this is not JSON ('],
  ])('%s', async (name, text, place, problem) => {
    const [where, told] = await mistake({ [name]: text })
    expect([where, told!.startsWith(problem)]).toEqual([place, true])
    expect(told).not.toContain('line')
  })
})

describe('an unreadable config', () => {
  test.each(['d.json', 'd.yaml', 'd.ts', 'd.py'])('a folder named %s', async (name) => {
    const folder = folderWith({})
    mkdirSync(join(folder, name))
    await expect(loadConfig(join(folder, name))).rejects.toMatchObject({
      problem: 'this is a folder, not a file',
      fix: 'choose the config file in it',
    })
  })

  test.each(['no.json', 'c.json/no.json'])('no file at %s', async (name) => {
    await expect(loadConfig(join(folderWith({ 'c.json': '{}' }), name))).rejects.toMatchObject({ code: 'no-file' })
  })

  test.each([
    ['bytes', Buffer.from([0x61, 0xc3, 0xa9, 0xff, 0xfe, 0x61]), 4],
    ['zeros', Buffer.from('PK\u0003\u0004\0\0binary'), 5],
    ['a cut character', Buffer.from([0x61, 0xe4, 0xbd]), 2],
    ['far in', Buffer.concat([Buffer.from('é'.repeat(1000)), Buffer.from([0x80]), Buffer.from('é'.repeat(500))]), 2001],
  ])('no text: %s', async (_, bytes, at) => {
    for (const name of ['c.yaml', 'c.json'])
      expect(await mistake({ [name]: bytes })).toEqual([
        name,
        `this is not text in UTF-8 (byte ${at} of ${bytes.length})`,
        'choose a text file, or save it as UTF-8',
      ])
  })

  test('a file of another user', () => {
    const error = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    expect(fileError(error, 'c.json')).toMatchObject({ where: 'c.json', problem: 'permission denied (EACCES)' })
    expect(fileError(Object.assign(new Error('x'), { code: 'EIO' }), 'c.json').problem).toBe('the file cannot be read (EIO)')
  })
})
