import { describe, expect, test } from 'vitest'
import { pyRepr } from '../../../../../core/src/base/python/index.ts'
import { repr } from '../../../../../core/src/base/python/values/repr.ts'
import { plainText } from '../../../../../core/src/base/python/values/text.ts'
import { FunctionMark } from './function-mark.ts'
import { loadTaskFile } from './load-task-file.ts'
import { readYaml } from './read-yaml.ts'

const shown = (text: string) => plainText(repr(readYaml(text, 'a.yaml')))

describe('YAML as PyYAML reads it', () => {
  test('lines of a quoted text may begin left of its key, also behind an escaped quote', () => {
    const text = 'samples:\n  - {a: 1}\n  - json: "{\n      \\"type\\": \\"object\\"\n    }"\n    other: "{\n    }"\n'
    expect(shown(text)).toBe(`{'samples': [{'a': 1}, {'json': '{ "type": "object" }', 'other': '{ }'}]}`)
    expect(() => readYaml('a: "x\\""\n}', 'a.yaml')).toThrow('Unexpected')
  })

  test('resolves numbers, some of which other parsers read differently', () => {
    expect(shown('[010, -010, 0o10, 0x1F, 0b101, 1_000, 1:30, 190:20:30, 1:30.5, 09]')).toBe(
      "[8, -8, '0o10', 31, 5, 1000, 90, 685230, 90.5, '09']",
    )
    expect(shown('[1e3, 1.0e+3, 1e-3, .5, +.5, 5., -0, .inf, -.Inf, .nan, 12345678901234567890]')).toBe(
      "['1e3', 1000.0, '1e-3', 0.5, '+.5', 5.0, 0, inf, -inf, nan, 12345678901234567890]",
    )
  })

  test('resolves booleans and null', () => {
    expect(shown('[yes, No, ON, off, y, n, tRue, ~, null, "no"]')).toBe("[True, False, True, False, 'y', 'n', 'tRue', None, None, 'no']")
  })

  test('the last of duplicate keys wins, own keys override merged ones, and keys may be numbers', () => {
    expect(shown('x: 1\nx: 2')).toBe("{'x': 2}")
    expect(shown('a: &a {p: 1, q: 1}\nb: {q: 2, <<: *a}\n1: one')).toBe("{'a': {'p': 1, 'q': 1}, 'b': {'p': 1, 'q': 2}, 1: 'one'}")
    expect(shown('a: &a {p: 1}\nb: &b {p: 2, r: 3}\nc: {<<: [*a, *b]}')).toContain("'c': {'p': 1, 'r': 3}")
  })

  test('lines of a quoted text may begin at the left margin', () => {
    expect(shown('a: \'[x, "1\n"+y,\n"2"]\'\nb: 1')).toBe("{'a': '[x, \"1 \"+y, \"2\"]', 'b': 1}")
  })

  test('a function is a mark with its file; other tags are refused', () => {
    const mark = (readYaml('f: !function utils.f', 'd/a.yaml') as ReadonlyMap<string, unknown>).get('f')
    expect(mark).toBeInstanceOf(FunctionMark)
    expect(mark).toMatchObject({ path: 'utils.f', file: 'd/a.yaml' })
    expect(() => readYaml('f: !!python/name:os.system', 'a.yaml')).toThrow(/a\.yaml: the tag .* is not known/)
  })

  test('invalid YAML is reported with its position', () => {
    expect(() => readYaml('a: [1,', 'a.yaml')).toThrow(/^a\.yaml: .*line/)
    expect(() => readYaml('a: *b', 'a.yaml')).toThrow(/a\.yaml/)
    expect(() => readYaml('a: &a [*a]', 'a.yaml')).toThrow('a value contains itself')
  })

  test('anchors cannot make a file grow exponentially', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`)
    expect(() => readYaml(`a0: &a0 [x]\n${lines.join('\n')}`, 'a.yaml')).toThrow(/with its aliases written out/)
    expect(readYaml(`a0: &a0 [x]\n${lines.slice(0, 10).join('\n')}`, 'a.yaml')).toBeInstanceOf(Map)
  })
})

describe('included files', () => {
  const load = (files: Record<string, string>, entry = 'd/a.yaml') => {
    const keys = loadTaskFile(entry, (path) => files[path])
    return pyRepr(Object.fromEntries(keys) as never)
  }

  test('are read from first to last; own keys win, and whole values are replaced', () => {
    const files = {
      'd/a.yaml': 'include: [../b.yaml, c]\ntask: a\nn: null',
      'b.yaml': 'x: 1\nn: 2\ng: {until: [b], k: 1}\ntask_list: [1]',
      'd/c': 'x: 2\ng: {until: [c]}',
    }
    expect(load(files)).toBe("{'x': 2, 'n': None, 'g': {'until': ['c']}, 'task': 'a'}")
  })

  test('may not be included twice, must exist, and must hold keys', () => {
    expect(() => load({ 'd/a.yaml': 'include: a.yaml' })).toThrow('it is included twice')
    expect(() => load({ 'd/a.yaml': 'include: [b, c]', 'd/b': 'include: e', 'd/c': 'include: e', 'd/e': 'x: 1' })).toThrow('included twice')
    expect(() => load({ 'd/a.yaml': 'include: nope.yaml' })).toThrow('d/nope.yaml: there is no such file')
    expect(() => load({ 'd/a.yaml': '- x' })).toThrow('it holds no keys')
  })
})
