import { describe, expect, test } from 'vitest'
import { parseModule } from '../../../../rolecall/src/python/syntax/parse-module.ts'
import { Runtime } from '../jinja/runtime/runtime.ts'
import { pyEqual } from './index.ts'
import { parseJson } from './json/parse-json.ts'
import { checkBits, checkItems, checkLength, defaultLimits, longText } from './python-limits.ts'
import type { PyValue } from './values/data.ts'
import { asciiOnly, indexOfOffset, isSpace, lengthOf, offsetOf } from './values/strings.ts'
import { charactersOf } from './values/text.ts'

describe('no value grows beyond these limits', () => {
  test.each<[string, (size: number) => void, number, RegExp]>([
    ['a text', checkLength, 16_777_216, /a text of more than 16,777,216 characters/],
    ['a list', checkItems, 2_097_152, /a list of more than 2,097,152 items/],
    ['a number', checkBits, 1_048_576, /a number of more than 1,048,576 bits/],
  ])('%s', (_, check, most, message) => {
    expect(() => check(most)).not.toThrow()
    expect(() => check(most + 1)).toThrow(message)
  })

  test('a render has a million steps, 32 MiB of output and 200 calls inside one another', () => {
    expect(defaultLimits).toEqual({ steps: 1_000_000, output: 33_554_432, depth: 200 })
  })

  test('a source has eight MiB', () => {
    const source = (length: number) => `#${' '.repeat(length - 1)}`
    expect(parseModule(source(8 * 1024 * 1024), 'file').body).toEqual([])
    expect(() => parseModule(source(8 * 1024 * 1024 + 1), 'file')).toThrow('more than 8 MiB')
  })
})

describe('a render counts its work', () => {
  const runtime = (limits = {}) => new Runtime([], { ...defaultLimits, ...limits }, new Date(0))

  test('a step is one, and the last that is allowed is allowed', () => {
    const counted = runtime({ steps: 3 })
    counted.step()
    counted.step(2)
    expect(counted.steps).toBe(3)
    expect(() => counted.step()).toThrow('more than 3 steps')
  })

  test('long texts and lists count as work, short ones do not', () => {
    const cost = (value: string | number[]) => {
      const counted = runtime()
      counted.charge(value)
      return counted.steps
    }
    expect([cost('x'.repeat(longText)), cost('x'.repeat(longText + 1024)), cost('')]).toEqual([0, 5, 0])
    expect([cost(new Array(longText).fill(0)), cost(new Array(longText + 16).fill(0)), cost([])]).toEqual([0, 257, 0])
    expect(longText).toBe(4096)
  })

  test('calls inside one another', () => {
    const counted = runtime({ depth: 2 })
    counted.enter()
    counted.enter()
    counted.leave()
    counted.enter()
    expect(() => counted.enter()).toThrow('more than 2 calls inside one another')
    expect(counted.steps).toBe(4)
  })
})

describe('positions count code points, of which half a pair is one', () => {
  test.each<[string, number]>([
    ['', 0],
    ['abc', 3],
    ['😀', 1],
    ['a😀b', 3],
    ['\ud800\udc00', 1],
    ['\udbff\udfff', 1],
    ['\ud800', 1],
    ['\ud800a', 2],
    ['\udc00\ud800', 2],
    ['\ud800\ud800\udc00', 2],
    ['\ud7ff\ue000😀', 3],
    ['\udbff\ue000', 2],
  ])('%j has %d', (text, length) => {
    expect(lengthOf(text)).toBe(length)
    expect(charactersOf(text)).toHaveLength(length)
    expect(offsetOf(text, length)).toBe(text.length)
    expect(indexOfOffset(text, text.length)).toBe(length)
  })

  test('an offset by its number, and back', () => {
    expect([0, 1, 2, 3, 9].map((index) => offsetOf('a😀b', index))).toEqual([0, 1, 3, 4, 4])
    expect([0, 2, 9].map((index) => offsetOf('ab', index))).toEqual([0, 2, 2])
    expect([0, 1, 3, 4].map((offset) => indexOfOffset('a😀b', offset))).toEqual([0, 1, 2, 3])
  })
})

test('what is not ASCII is escaped by its size, as by ascii()', () => {
  expect(asciiOnly('a~\x7f\x80ÿĀ中😀')).toBe('a~\x7f\\x80\\xff\\u0100\\u4e2d\\U0001f600')
})

test("white space is Python's: str.isspace() of every character below U+3001", () => {
  // CPython 3.11: [code for code in range(0x3001) if chr(code).isspace()]
  const spaces = [
    ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005],
    ...[0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  ]
  expect(Array.from({ length: 0x3101 }, (_, code) => code).filter((code) => isSpace(code))).toEqual(spaces)
})

describe('equal as in Python', () => {
  test.each<[string, string, boolean]>([
    ['1', '1.0', true],
    ['1', 'true', true],
    ['0', 'false', true],
    ['1', '"1"', false],
    ['"1"', '1', false],
    ['1', 'null', false],
    ['null', '0', false],
    ['null', 'null', true],
    ['9007199254740993', '9007199254740993', true],
    ['9007199254740993', '9007199254740992', false],
    ['[1, [2]]', '[1.0, [2]]', true],
    ['[1]', '[1, 2]', false],
    ['[1, 2]', '[1]', false],
    ['[]', '{}', false],
    ['{"a": 1, "b": 2}', '{"b": 2, "a": 1}', true],
    ['{"a": 1}', '{"a": 2}', false],
    ['{"a": null}', '{"b": null}', false],
    ['{"a": 1}', '{"a": 1, "b": 2}', false],
    ['"a"', '"a"', true],
    ['"a"', '"b"', false],
  ])('%s and %s: %s', (a, b, isEqual) => expect(pyEqual(parseJson(a) as PyValue, parseJson(b) as PyValue)).toBe(isEqual))
})

test('integers that JavaScript holds exactly are numbers, larger ones are bigints', () => {
  const constantOf = (source: string) => {
    const [first] = parseModule(source, 'file').body
    return first?.kind === 'expression' && first.value.kind === 'constant' ? first.value.value : undefined
  }
  expect([constantOf('9007199254740991'), constantOf('9007199254740992'), constantOf('0x1fffffffffffff')]).toEqual([
    2 ** 53 - 1,
    2n ** 53n,
    2 ** 53 - 1,
  ])
})
