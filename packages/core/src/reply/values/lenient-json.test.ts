import { expect, test } from 'vitest'
import { JsonSyntaxError } from '../../base/python/index.ts'
import { parseLenientJson } from './lenient-json.ts'

test('what people write in documents is read', () => {
  expect(parseLenientJson(`[{"path": "data.csv", size='10K'}]`)).toEqual([{ path: 'data.csv', size: '10K' }])
  expect(parseLenientJson('{"required": ["location"],\n}')).toEqual({ required: ['location'] })
  expect(parseLenientJson("{'a': True, 'b': None, // why\n c: [1, -2.5, 1e3,], # because\n}")).toEqual({
    a: true,
    b: null,
    c: [1, -2.5, { value: 1000 }],
  })
  expect(parseLenientJson(`{'it\\'s': "a \\"b\\" 'c'", "d": 'e "f"'}`)).toEqual({ "it's": `a "b" 'c'`, d: 'e "f"' })
  expect(parseLenientJson(' "two\nlines" ')).toBe('two\nlines')
})

test('JSON means what it means', () => {
  expect(parseLenientJson('{"temperature": 22, "s": "\\u4e0a\\n", "e": {}, "l": []}')).toEqual({ temperature: 22, s: '上\n', e: {}, l: [] })
})

test('what has no meaning is refused with its place', () => {
  for (const text of ['', '{', '[1', '{"a"}', '{"a": }', '[1 2]', '"open', 'word', '1 2', '{a b: 1}', '['.repeat(2000)])
    expect(() => parseLenientJson(text), text.slice(0, 20)).toThrow(JsonSyntaxError)
})

test('each way of writing a value', () => {
  const cases: [string, unknown][] = [
    ['{a = 1, b: 2}', { a: 1, b: 2 }],
    ['{"a"=1}', { a: 1 }],
    ['{a.b-c_$1: 1, 2x: 2, é: 3}', { 'a.b-c_$1': 1, '2x': 2, é: 3 }],
    ['[True, False, None, true, false, null]', [true, false, null, true, false, null]],
    ['[1,]', [1]],
    ['[ ]', []],
    ['{ }', {}],
    ['# first\n[1, /* two */ 2] // three', [1, 2]],
    ['/* a\n * b */ 1', 1],
    ["'a\tb'", 'a\tb'],
    ["'a\rb'", 'a\rb'],
    ['"a\nb"', 'a\nb'],
    [`'say "hi"'`, 'say "hi"'],
    [`"it\\'s"`, "it's"],
    [`'a\\nb\\\\c\\u0041\\"'`, 'a\nb\\cA"'],
    ['-1', -1],
    ['0.25', 0.25],
  ]
  for (const [text, expected] of cases) expect(parseLenientJson(text), text).toEqual(expected)
})

test('a mistake says what was expected, and where', () => {
  const cases: [string, RegExp][] = [
    ['1 2', /column 3: expected the end of the text, found '2'/],
    ['[1', /expected ',' or ']'/],
    ['[1,', /expected ']', found the end of the text/],
    ['{', /expected '}', found the end of the text/],
    ['[1 2]', /expected ',' or ']'/],
    ['{"a" 1}', /expected ':' after the key a/],
    ['{+: 1}', /expected a key/],
    ['"a', /expected a closing "/],
    ["'a", /expected a closing '/],
    ['[word]', /column 2: expected a value, found 'word'/],
    ['[*]', /expected a value/],
    ['toString', /expected a value, found 'toString'/],
  ]
  for (const [text, message] of cases) expect(() => parseLenientJson(text), text).toThrow(message)
})

test('values nest up to 500 deep', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  const keyed = (depth: number) => `${'{a:'.repeat(depth)}1${'}'.repeat(depth)}`
  for (const write of [nested, keyed]) {
    expect(() => parseLenientJson(write(500))).not.toThrow()
    expect(() => parseLenientJson(write(501))).toThrow('expected a flatter value')
  }
})
