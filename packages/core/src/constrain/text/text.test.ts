import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileConstraint } from '../compile-constraint.ts'
import { neighbour, plainDecimal } from './decimal-range.ts'
import { formats } from './string-formats.ts'

const accepts = (schema: unknown, value: string) => compileConstraint({ kind: 'json-schema', schema }).accepts(value)
const matches = (pattern: string, text: string) => compileConstraint({ kind: 'pattern', pattern }).accepts(text)

test('integer ranges are exact', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -130, max: 130 }),
      fc.integer({ min: 6, max: 150 }),
      fc.constantFrom(1, 2, 7),
      (minimum, size, multipleOf) => {
        const maximum = minimum + size
        const { accepts: isAccepted } = compileConstraint({
          kind: 'json-schema',
          schema: { type: 'integer', minimum, maximum, multipleOf },
        })
        for (let number = minimum - 12; number <= maximum + 12; number++) {
          const isIn = number >= minimum && number <= maximum && number % multipleOf === 0
          expect(isAccepted(String(number)), `${number} in ${minimum}…${maximum}`).toBe(isIn)
        }
      },
    ),
    { numRuns: 15 },
  )
  for (const text of ['007', '1.0', '1e3', '+1', '--1', '- 1', '.5', '1.']) expect(accepts({ type: 'integer' }, text), text).toBe(false)
})

test('number ranges are exact to the last distinguishable digit', () => {
  const one = { type: 'number', exclusiveMinimum: 0, maximum: 0.3 }
  for (const text of ['0.3', '0.30', '0.1', '0.000001', '0.29999999999999998']) expect(accepts(one, text), text).toBe(true)
  for (const text of ['0', '0.0', '-0.1', '0.31', '1', '0.30000000000000004']) expect(accepts(one, text), text).toBe(false)
  const above = { type: 'number', exclusiveMaximum: 1 }
  // Parses as 1: no program could distinguish them.
  expect(accepts(above, '0.99999999999999999999')).toBe(false)
  expect(accepts(above, '0.9999999999999999')).toBe(true)
  expect(accepts({ type: 'number', minimum: -2.5, maximum: -1 }, '-2.5')).toBe(true)
  expect(accepts({ type: 'number', minimum: -2.5, maximum: -1 }, '-2.51')).toBe(false)
})

test('numbers without limits may have an exponent, within the range of a double', () => {
  for (const text of ['-0.5', '1e+21', '1.5e-7', '1E5', '123456789012345678901', '1e307', '1e-300'])
    expect(accepts({ type: 'number' }, text), text).toBe(true)
  for (const text of ['1e309', '1e999', '01', '1.e5', '12e400', 'NaN']) expect(accepts({ type: 'number' }, text), text).toBe(false)
})

test('numbers in digits, and their neighbours', () => {
  expect([1e21, 1.5e-7, -2.25e22, 0.1, -0].map(plainDecimal)).toEqual([
    '1000000000000000000000',
    '0.00000015',
    '-22500000000000000000000',
    '0.1',
    '0',
  ])
  expect(neighbour(1, 1)).toBe(1 + Number.EPSILON)
  expect(neighbour(1, -1)).toBe(1 - Number.EPSILON / 2)
  expect(neighbour(-1, 1)).toBe(-1 + Number.EPSILON / 2)
  expect(neighbour(0, -1)).toBe(-Number.MIN_VALUE)
})

test('patterns match what JavaScript matches', () => {
  const patterns = [
    'a|bc?',
    '(ab)*c',
    '[^a-c]+',
    'a{2,3}',
    '^a$',
    'a.c',
    '\\d+-\\w',
    '(|x)y',
    'é+',
    '[😀-😂]',
    '\\p{L}\\s',
    '(^a|b)$',
    'x*?y',
    'a(?:b|^c)',
  ]
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x', 'y', '-', '1', ' ', 'é', '😀', '漢', '\n'), maxLength: 5 })
  fc.assert(
    fc.property(fc.constantFrom(...patterns), texts, (pattern, text) => {
      expect(matches(pattern, text), `${pattern} on ${JSON.stringify(text)}`).toBe(new RegExp(`^(?:${pattern})$`, 'u').test(text))
      const isFound = new RegExp(pattern, 'u').test(text)
      expect(accepts({ type: 'string', pattern }, JSON.stringify(text)), `${pattern} in ${JSON.stringify(text)}`).toBe(isFound)
    }),
    { numRuns: 300 },
  )
})

test('lengths count characters, however they are escaped', () => {
  const three = { type: 'string', minLength: 3, maxLength: 3 }
  for (const text of ['"abc"', '"a😀é"', '"\\u00e9\\n\\""', '"漢漢漢"']) expect(accepts(three, text), text).toBe(true)
  for (const text of ['"ab"', '"abcd"', '"a😀"', '"\\ud83d\\ude00a"', '"a\nb"', '"ab']) expect(accepts(three, text), text).toBe(false)
})

describe('formats', () => {
  const cases: Record<keyof typeof formats & string, { good: string[]; bad: string[] }> = {
    date: {
      good: ['2024-02-29', '2000-02-29', '1999-12-31', '0000-02-29'],
      bad: ['2023-02-29', '1900-02-29', '2024-04-31', '2024-13-01', '2024-1-1', '2024-00-10'],
    },
    time: { good: ['23:59:59Z', '00:00:00.123+05:30'], bad: ['24:00:00Z', '12:60:00Z', '12:00:00', '12:00Z'] },
    'date-time': { good: ['2024-02-29T12:00:00Z'], bad: ['2024-02-30T12:00:00Z', '2024-02-29 12:00:00Z'] },
    duration: { good: ['P3W', 'PT5M', 'P1Y2M3D', 'P1DT2H3M4S', 'PT1H'], bad: ['P', 'PT', 'P1H', '1D', 'P1Y2D', 'PT1H2S'] },
    uuid: {
      good: ['123e4567-e89b-12d3-a456-426614174000'],
      bad: ['123e4567e89b12d3a456426614174000', '123e4567-e89b-12d3-a456-42661417400g'],
    },
    email: { good: ['ada.lovelace+x@example.org'], bad: ['ada', '@example.org', 'ada@', '.a@b.c', 'a..b@c.d'] },
    'idn-email': { good: ['ada@example.org'], bad: ['ada'] },
    hostname: { good: ['example.org', 'a', 'x-1.example'], bad: ['-a.org', 'a_b', 'a..b', 'xn--x', 'a-.b'] },
    'idn-hostname': { good: ['example.org'], bad: ['-a.org'] },
    ipv4: { good: ['127.0.0.1', '255.255.255.255'], bad: ['256.0.0.1', '1.2.3', '01.2.3.4'] },
    ipv6: { good: ['1:2:3:4:5:6:7:8', 'ffff:0:0:0:0:0:0:1'], bad: ['1:2', '1:2:3:4:5:6:7:g', '12345:2:3:4:5:6:7:8'] },
    uri: { good: ['https://example.org/a/b?c=d#e', 'http://localhost:8000'], bad: ['example.org', 'ftp://x', 'https://', 'https://a b'] },
    'uri-reference': { good: ['https://example.org/a', '/a/b?c=d', '#top'], bad: ['a b', '//'] },
    iri: { good: ['https://example.org'], bad: ['example.org'] },
    'iri-reference': { good: ['/a'], bad: ['a b'] },
    'uri-template': { good: ['https://example.org/a'], bad: ['https://example.org/{'] },
    'json-pointer': { good: ['', '/a~0b/0', '/é'], bad: ['a', '/a~', '/a~2'] },
    'relative-json-pointer': { good: ['0', '1/a', '2#'], bad: ['', '/a', '01', '1#/a'] },
    regex: { good: ['a+\\d*', '[ab]?x', ''], bad: ['(', '*a', '[', 'a**'] },
  }
  test('each has a case', () => expect(Object.keys(cases)).toEqual(Object.keys(formats)))
  for (const [format, { good, bad }] of Object.entries(cases)) {
    test(format, () => {
      const { accepts: isAccepted } = compileConstraint({ kind: 'json-schema', schema: { type: 'string', format } })
      for (const text of good) expect(isAccepted(JSON.stringify(text)), text).toBe(true)
      for (const text of bad) expect(isAccepted(JSON.stringify(text)), text).toBe(false)
    })
  }
})

test('a choice is one of its texts, a sequence is its parts in order', () => {
  const choice = compileConstraint({ kind: 'choice', choices: ['yes', 'no', 'not sure'] })
  expect(['yes', 'no', 'not sure', 'not', 'maybe', ' yes'].map(choice.accepts)).toEqual([true, true, true, false, false, false])
  const sequence = compileConstraint({
    kind: 'sequence',
    parts: [
      { kind: 'json-schema', schema: { type: 'integer' } },
      { kind: 'pattern', pattern: 'x?' },
      { kind: 'choice', choices: ['}\n</call>'] },
    ],
  })
  expect(['1}\n</call>', '12x}\n</call>', '1', '1x', 'x}\n</call>'].map(sequence.accepts)).toEqual([true, true, false, false, false])
  for (const choices of [[], ['a', '']]) expect(() => compileConstraint({ kind: 'choice', choices })).toThrow('choose from')
  expect(() => compileConstraint({ kind: 'pattern', pattern: 'a(?=b)', where: 'guided_regex' })).toThrow(
    'guided_regex: the pattern cannot be enforced',
  )
})
