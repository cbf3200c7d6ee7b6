import { describe, expect, test } from 'vitest'
import { dictEntries, maxDepth, type PyDict } from '../values/data.ts'
import { pyRepr, pyStr } from '../values/repr.ts'
import { JsonSyntaxError, parseJson } from './parse-json.ts'

// Expected: CPython 3.11.7's repr(json.loads(text)).
const accepted: [text: string, expected: string][] = [
  ['{"b": 1.0, "1": 9007199254740993}', "{'b': 1.0, '1': 9007199254740993}"],
  [' [ 1 , 2 ]\r\n\t', '[1, 2]'],
  ['[-0, -0.0, 0.0, 0e5, 0.5]', '[0, -0.0, 0.0, 0.0, 0.5]'],
  ['[1.00, 1E2, 1e-2, 1.5e+3, 1e400, -1e400, 1e-400]', '[1.0, 100.0, 0.01, 1500.0, inf, -inf, 0.0]'],
  ['[9007199254740991, 9007199254740992, -9007199254740993]', '[9007199254740991, 9007199254740992, -9007199254740993]'],
  ['9007199254740.9999', '9007199254741.0'],
  ['0.99999999999999999', '1.0'],
  ['[NaN, Infinity, -Infinity]', '[nan, inf, -inf]'],
  ['{"2": "a", "1": "b", "x": "c", "2": "d"}', "{'2': 'd', '1': 'b', 'x': 'c'}"],
  ['{"b": 1, "a": 2, "b": 3}', "{'b': 3, 'a': 2}"],
  ['{"a": 1, "\\u0031": 2}', "{'a': 1, '1': 2}"],
  ['{"__proto__": {"x": 1}, "constructor": 2}', "{'__proto__': {'x': 1}, 'constructor': 2}"],
  ['"\\ud800 \\udc00\\ud800"', "'\\ud800 \\udc00\\ud800'"],
  ['"\\ud83d\\ude00 \\u00e9\\/\\"\\\\\\b\\f\\n\\r\\t"', "'😀 é/\"\\\\\\x08\\x0c\\n\\r\\t'"],
  ['"\u007f\u2028"', "'\\x7f\\u2028'"],
  ['[[], {}, "", null, true, false]', "[[], {}, '', None, True, False]"],
]

describe('text is read as by json.loads', () => {
  for (const [text, expected] of accepted) test(text, () => expect(pyRepr(parseJson(text))).toBe(expected))
})

// All of them are refused by CPython 3.11.7's json.loads too.
const refused: [text: string, message: string][] = [
  ['', 'line 1, column 1: expected a value, found the end of the text'],
  ['[1, 2,]', "line 1, column 7: expected a value after ',', found ']' (a trailing comma is not allowed)"],
  ['{"a": 1,}', "line 1, column 9: expected a key after ',', found '}' (a trailing comma is not allowed)"],
  ["{'a': 1}", "line 1, column 2: expected a key in double quotes, found ''' (strings take double quotes)"],
  ['{a: 1}', "line 1, column 2: expected a key in double quotes, found 'a'"],
  ['[\n  1, // one\n  2\n]', "line 2, column 6: expected a value, found '/' (comments are not allowed)"],
  ['[True]', "line 1, column 2: expected a value, found 'True' (JSON spells it true)"],
  ['[None]', "line 1, column 2: expected a value, found 'None' (JSON spells it null)"],
  ['[1 2]', "line 1, column 4: expected ',' or ']', found '2'"],
  ['{"a" 1}', "line 1, column 6: expected ':' after the key, found '1'"],
  ['{"a": 1', "line 1, column 8: expected ',' or '}', found the end of the text"],
  ['{} x', "line 1, column 4: expected the end of the text after the value, found 'x'"],
  ['01', 'line 1, column 1: expected a number without leading zeros'],
  ['-', "line 1, column 2: expected a digit after '-', found the end of the text"],
  ['+1', "line 1, column 1: expected a value, found '+'"],
  ['.5', "line 1, column 1: expected a value, found '.'"],
  ['5.', 'line 1, column 3: expected a digit after the decimal point, found the end of the text'],
  ['1e+', 'line 1, column 4: expected a digit in the exponent, found the end of the text'],
  ['"a\tb"', 'line 1, column 3: expected an escape such as \\n in a string, found the control character U+0009'],
  ['["a', 'line 1, column 2: expected a closing " for the string that starts here, found the end of the text'],
  ['"\\x41"', 'line 1, column 2: expected one of " \\ / b f n r t u after a backslash'],
  ['"\\u12g4"', 'line 1, column 2: expected four hex digits after \\u'],
  ['\u00a01', "line 1, column 1: expected a value, found '\u00a0'"],
  ['nan', "line 1, column 1: expected a value, found 'nan'"],
]

describe('text that json.loads refuses is refused with what was expected and where', () => {
  for (const [text, message] of refused) test(JSON.stringify(text), () => expect(() => parseJson(text)).toThrow(message))
})

test('a byte order mark is an error that says so', () => {
  expect(() => parseJson('\ufeff[]')).toThrow('byte order mark (BOM)')
})

test('an error has line, column and offset as properties', () => {
  const error = errorOf('{\n  "a": 1,\n  "b": ?\n}')
  expect(error).toBeInstanceOf(SyntaxError)
  expect(error).toMatchObject({ name: 'JsonSyntaxError', line: 3, column: 8, offset: 19 })
})

test('nesting is read up to the limit and is a clear error beyond it', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(pyStr(parseJson(nested(maxDepth)))).toBe(nested(maxDepth))
  expect(() => parseJson(nested(maxDepth + 1))).toThrow('nested more than 1,000 levels deep')
  expect(errorOf('{"a":'.repeat(1_000_000)).offset).toBe(5 * maxDepth)
})

test('brackets in strings and side by side do not count as nesting', () => {
  const brackets = JSON.stringify(['['.repeat(2000), '"['.repeat(2000), '\\', ...new Array(2000).fill([])])
  expect(parseJson(brackets)).toEqual(JSON.parse(brackets))
})

test('long strings are read as short ones are', () => {
  const long = `${'x"\\\n\u2028'.repeat(200)}\ud800`
  const text = JSON.stringify({ [long]: long, a: [long] })
  expect(parseJson(text)).toEqual({ [long]: long, a: [long] })
  // The exact reader, and what it alone sees beside long strings.
  const exact = parseJson(`{"a": ${JSON.stringify(long)}, "b": 1.0, "1": ${JSON.stringify(`${long}1.5`)}}`) as PyDict
  expect(dictEntries(exact).map(([key, value]) => [key, pyRepr(value)])).toEqual([
    ['a', pyRepr(long)],
    ['b', '1.0'],
    ['1', pyRepr(`${long}1.5`)],
  ])
  expect(() => parseJson(`["${'x'.repeat(1000)}\t"]`)).toThrow('column 1003: expected an escape such as \\n')
  expect(() => parseJson(`["${'x'.repeat(1000)}\\q"]`)).toThrow('column 1003: expected one of')
  expect(() => parseJson(`["${'x'.repeat(1000)}`)).toThrow('column 2: expected a closing "')
})

test('an int of more than 4300 digits is refused, as by Python', () => {
  expect(parseJson('9'.repeat(4300))).toBe(10n ** 4300n - 1n)
  expect(() => parseJson('9'.repeat(4301))).toThrow('at most 4300 digits')
})

test('a dict is a plain object unless that would move or swallow a key', () => {
  expect(parseJson('{"a": {"b": 1.0}}')).not.toBeInstanceOf(Map)
  const dict = parseJson('{"b": 1, "1": 2, "__proto__": 3}')
  expect(dict).toBeInstanceOf(Map)
  expect(dictEntries(dict as PyDict).map(([key]) => key)).toEqual(['b', '1', '__proto__'])
})

function errorOf(text: string): JsonSyntaxError {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
  }
  throw new Error('expected a JsonSyntaxError')
}
