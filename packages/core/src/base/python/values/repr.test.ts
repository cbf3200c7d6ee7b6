import { describe, expect, test } from 'vitest'
import { maxDepth, type PyValue, pyFloat } from './data.ts'
import { pyRepr, pyStr } from './repr.ts'

// The expected texts were printed by CPython 3.11.7.

const floats: [PyValue, string][] = [
  [0.1, '0.1'],
  [0.5, '0.5'],
  [-2.5, '-2.5'],
  [1e-4, '0.0001'],
  [0.00012, '0.00012'],
  [9.999999999999999e-5, '9.999999999999999e-05'],
  [1e-5, '1e-05'],
  [1e-7, '1e-07'],
  [1.5e-10, '1.5e-10'],
  [1e-100, '1e-100'],
  [5e-324, '5e-324'],
  [-5e-324, '-5e-324'],
  [2.2250738585072014e-308, '2.2250738585072014e-308'],
  [1 / 3, '0.3333333333333333'],
  [2 / 3, '0.6666666666666666'],
  [0.1 + 0.2, '0.30000000000000004'],
  [123456789.123, '123456789.123'],
  [4503599627370495.5, '4503599627370495.5'],
  [NaN, 'nan'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
  [pyFloat(0), '0.0'],
  [pyFloat(-0), '-0.0'],
  [pyFloat(1), '1.0'],
  [pyFloat(-1), '-1.0'],
  [pyFloat(100), '100.0'],
  [pyFloat(1e15), '1000000000000000.0'],
  [pyFloat(9999999999999998), '9999999999999998.0'],
  [pyFloat(1e16), '1e+16'],
  [pyFloat(-1e16), '-1e+16'],
  [pyFloat(1.2345678901234568e16), '1.2345678901234568e+16'],
  [pyFloat(123456789012345680), '1.2345678901234568e+17'],
  [pyFloat(1e21), '1e+21'],
  [pyFloat(1e22), '1e+22'],
  [pyFloat(1e23), '1e+23'],
  [pyFloat(1e100), '1e+100'],
  [pyFloat(2 ** 53), '9007199254740992.0'],
  [pyFloat(1.7976931348623157e308), '1.7976931348623157e+308'],
]

const ints: [PyValue, string][] = [
  [0, '0'],
  [-0, '0'],
  [7, '7'],
  [-42, '-42'],
  [9007199254740991, '9007199254740991'],
  [9007199254740993n, '9007199254740993'],
  [-(2n ** 64n), '-18446744073709551616'],
  [2 ** 60, '1152921504606846976'],
  [1e21, '1000000000000000000000'],
  [1e23, '99999999999999991611392'],
  [10n ** 30n, '1000000000000000000000000000000'],
]

const strings: [PyValue, string][] = [
  ['', "''"],
  ['a', "'a'"],
  ["it's", '"it\'s"'],
  ['say "hi"', '\'say "hi"\''],
  ['it\'s "both"', "'it\\'s \"both\"'"],
  ['back\\slash', "'back\\\\slash'"],
  ['a\nb\r\tc', "'a\\nb\\r\\tc'"],
  ['\u0000\u001b\u007f', "'\\x00\\x1b\\x7f'"],
  ['\u0080\u0085\u00a0\u00ad', "'\\x80\\x85\\xa0\\xad'"],
  ['\u00e9 \u00ff', "'\u00e9 \u00ff'"],
  ['\u4e2d\u6587\uff0c\u3002', "'\u4e2d\u6587\uff0c\u3002'"],
  ['\u200b\u200d', "'\\u200b\\u200d'"],
  ['\u2028\u2029', "'\\u2028\\u2029'"],
  ['\u3000\u2003', "'\\u3000\\u2003'"],
  ['\ufeff', "'\\ufeff'"],
  ['\ue000', "'\\ue000'"],
  ['\ufffd', "'\ufffd'"],
  ['\uffff', "'\\uffff'"],
  ['\u0378', "'\\u0378'"],
  ['\ud800', "'\\ud800'"],
  ['a\udfffb', "'a\\udfffb'"],
  ['\ud83d\ude00', "'\ud83d\ude00'"],
  ['\ud83d\udc69\u200d\ud83d\ude80', "'\ud83d\udc69\\u200d\ud83d\ude80'"],
  ['\udb40\udc01', "'\\U000e0001'"],
  ['\udb80\udc00', "'\\U000f0000'"],
  ['\udbff\udfff', "'\\U0010ffff'"],
  ['\ud880\udc00', "'\ud880\udc00'"],
  [' ', "' '"],
  ['\b\f', "'\\x08\\x0c'"],
  ['`$${}', "'`$${}'"],
]

const others: [PyValue, string][] = [
  [[], '[]'],
  [{}, '{}'],
  [[1, 'a', null, true, false], "[1, 'a', None, True, False]"],
  [[[], [[]], {}], '[[], [[]], {}]'],
  [{ a: 1, b: pyFloat(1) }, "{'a': 1, 'b': 1.0}"],
  [{ "it's": ["it's", 'é\n'] }, '{"it\'s": ["it\'s", \'\u00e9\\n\']}'],
  [
    new Map([
      ['b', 1],
      ['2', 2],
      ['1', 3],
    ]),
    "{'b': 1, '2': 2, '1': 3}",
  ],
  [new Map([['__proto__', [null]]]), "{'__proto__': [None]}"],
  [{ a: { b: { c: [0.5, 10n ** 20n] } } }, "{'a': {'b': {'c': [0.5, 100000000000000000000]}}}"],
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]

for (const [kind, cases] of Object.entries({ floats, ints, strings, others })) {
  describe(`${kind} are shown as by CPython's repr()`, () => {
    for (const [value, expected] of cases) test(expected, () => expect(pyRepr(value)).toBe(expected))
  })
}

test('undefined and the holes of a sparse array are None', () => {
  expect(pyRepr(undefined)).toBe('None')
  expect(pyRepr(new Array<PyValue>(2))).toBe('[None, None]')
  const row: { a?: PyValue } = { a: undefined }
  expect(pyRepr(row as PyValue)).toBe("{'a': None}")
})

test('a list or dict inside itself is shown as [...] or {...}', () => {
  const list: PyValue[] = [1]
  list.push(list)
  expect(pyRepr(list)).toBe('[1, [...]]')
  const dict: Record<string, PyValue> = {}
  dict.list = [dict]
  expect(pyRepr(dict)).toBe("{'list': [{...}]}")
})

test('a list that occurs twice, but not inside itself, is shown twice', () => {
  const list = [1]
  expect(pyRepr([list, list])).toBe('[[1], [1]]')
})

test('nesting is shown up to the limit and is a clear error beyond it', () => {
  expect(pyRepr(nest(maxDepth))).toBe('['.repeat(maxDepth) + ']'.repeat(maxDepth))
  expect(() => pyRepr(nest(10_000))).toThrow('maximum recursion depth exceeded')
})

function nest(levels: number): PyValue {
  let value: PyValue = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

test('a value that Python has no form for is an error that names its type', () => {
  class Point {}
  const foreign: [unknown, string][] = [
    [new Date(0), 'Date'],
    [new Set(), 'Set'],
    [/a/, 'RegExp'],
    [new Point(), 'Point'],
    [() => 1, 'function'],
    [Symbol('a'), 'symbol'],
    [Promise.resolve(), 'Promise'],
  ]
  for (const [value, name] of foreign) {
    expect(() => pyRepr([value as PyValue]), name).toThrow(TypeError)
    expect(() => pyRepr([value as PyValue]), name).toThrow(`type ${name} `)
  }
})

test('an int of more than 4300 digits is refused, as by Python', () => {
  expect(pyRepr(-(10n ** 4299n))).toHaveLength(4301)
  expect(() => pyRepr(10n ** 4300n)).toThrow('Exceeds the limit (4300 digits)')
})

test('a string is shown as it is', () => {
  expect(pyStr('a')).toBe('a')
  expect(pyStr('it\'s\n"中文"\u200b')).toBe('it\'s\n"中文"\u200b')
})

test('a string inside a list or dict is shown with quotes and escapes', () => {
  expect(pyStr(['a', true])).toBe("['a', True]")
  expect(pyStr({ "it's": 'a\n' })).toBe("{\"it's\": 'a\\n'}")
})

test('None, booleans and numbers are shown as Python spells them', () => {
  expect([null, undefined, true, false].map(pyStr)).toEqual(['None', 'None', 'True', 'False'])
  expect([3, -0, 0.5, 1e-7, Number.NaN, 10n ** 20n].map(pyStr)).toEqual(['3', '0', '0.5', '1e-07', 'nan', '100000000000000000000'])
})

test('a float keeps its point when its value is integral', () => {
  expect([pyFloat(1), pyFloat(-0), pyFloat(1e16), pyFloat(0.5)].map(pyStr)).toEqual(['1.0', '-0.0', '1e+16', '0.5'])
})
