import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../proof/testing/processor-timer.ts'
import { propertyRuns } from '../../../../proof/testing/sampling.ts'
import { type PyValue, parseJson } from '../base/python/index.ts'
import { checkArguments } from './check-arguments.ts'

const faults = (value: PyValue, schema: unknown) => checkArguments(value, schema).map(({ path, problem }) => `${path}: ${problem}`)

describe('a problem names its path', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 2 },
      unit: { enum: ['celsius', 'fahrenheit'] },
      days: { type: 'integer', minimum: 1, maximum: 14 },
      places: { type: 'array', items: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] }, maxItems: 2 },
    },
    required: ['city'],
    additionalProperties: false,
  }
  const cases: [string, PyValue, string[]][] = [
    ['sound arguments', { city: 'Paris', unit: 'celsius', days: 3, places: [{ at: 1.5 }] }, []],
    ['a missing argument', { days: 3 }, ['city: is missing']],
    ['an argument that the tool does not have', { city: 'Paris', town: 'x' }, ['town: is not an argument of this tool']],
    [
      'a value that is not in the list',
      { city: 'Paris', unit: 'kelvin' },
      ['unit: expected one of "celsius", "fahrenheit", found "kelvin"'],
    ],
    ['a number out of range', { city: 'Paris', days: 15 }, ['days: expected at most 14, found 15']],
    ['a fraction for an integer', { city: 'Paris', days: 1.5 }, ['days: expected an integer, found 1.5']],
    ['something inside a list', { city: 'Paris', places: [{ at: 1 }, { at: 'x' }] }, ['places[1].at: expected a number, found "x"']],
    [
      'too short a text and too long a list',
      { city: 'P', places: [{ at: 1 }, { at: 1 }, {}] },
      ['city: expected at least 2 characters, found 1', 'places: expected at most 2 items, found 3', 'places[2].at: is missing'],
    ],
    ['no object at all', 'Paris', [': expected an object, found "Paris"']],
  ]
  for (const [name, value, expected] of cases) test(name, () => expect(faults(value, schema)).toEqual(expected))
})

describe('each keyword at its bounds', () => {
  const cases: [schema: object, fine: PyValue[], wrong: [PyValue, string][]][] = [
    [{ minimum: 2 }, [2, 3, 'x', null], [[1.5, 'expected at least 2, found 1.5']]],
    [{ maximum: 2 }, [2, -3, 'xyz'], [[3, 'expected at most 2, found 3']]],
    [{ exclusiveMinimum: 2 }, [2.5], [[2, 'expected more than 2, found 2']]],
    [{ exclusiveMaximum: 2 }, [1.5], [[2, 'expected less than 2, found 2']]],
    [{ multipleOf: 0.1 }, [0.3, 0, -0.7], [[0.35, 'expected a multiple of 0.1, found 0.35']]],
    [{ multipleOf: 3 }, [9, -3], [[10, 'expected a multiple of 3, found 10']]],
    [{ multipleOf: 0 }, [7], []],
    [{ minLength: 2 }, ['ab', '😀😀', [1]], [['😀', 'expected at least 2 characters, found 1']]],
    [{ maxLength: 2 }, ['ab', '😀😀', ''], [['abc', 'expected at most 2 characters, found 3']]],
    [{ pattern: '^a.c$' }, ['abc', 'a😀c', 5], [['abcd', 'expected a match of ^a.c$, found "abcd"']]],
    [{ minItems: 1 }, [[1], {}], [[[], 'expected at least 1 items, found 0']]],
    [{ maxItems: 1 }, [[1], []], [[[1, 2], 'expected at most 1 items, found 2']]],
    [{ minProperties: 1 }, [{ a: 1 }, []], [[{}, 'expected at least 1 properties, found 0']]],
    [{ maxProperties: 1 }, [{ a: 1 }, {}], [[{ a: 1, b: 2 }, 'expected at most 1 properties, found 2']]],
    [
      { uniqueItems: true },
      [
        [1, 2, '1'],
        [[1], [2]],
        [{ a: 1 }, { b: 1 }, { a: 2 }],
        [[1], [1, 2]],
        [null, false, 0],
      ],
      [
        [[1, 2, 1], 'expected different items, found one twice'],
        [
          [
            { a: 1, b: [2] },
            { b: [2], a: 1 },
          ],
          'expected different items, found one twice',
        ],
      ],
    ],
    [{ uniqueItems: false }, [[1, 1]], []],
    [{ type: 'string' }, [''], [[5, 'expected a string, found 5']]],
    [{ type: 'number' }, [5, 1.5], [['5', 'expected a number, found "5"']]],
    [{ type: 'integer' }, [5, -1], [[1.5, 'expected an integer, found 1.5']]],
    [{ type: 'boolean' }, [true, false], [[0, 'expected true or false, found 0']]],
    [{ type: 'null' }, [null], [[0, 'expected null, found 0']]],
    [{ type: 'array' }, [[]], [[{}, 'expected a list, found {}']]],
    [{ type: 'object' }, [{}], [[[], 'expected an object, found []']]],
    [{ type: ['string', 'null'] }, ['x', null], [[5, 'expected a string or null, found 5']]],
    [{ type: ['string', 'date'] }, ['x', 5], []],
    [{ enum: [1, 'a', null, [1]] }, [1, 'a', null, [1]], [[[2], 'expected one of 1, "a", null, [1], found [2]']]],
    [{ const: { a: [1] } }, [{ a: [1] }], [[{ a: [2] }, 'expected {"a": [1]}, found {"a": [2]}']]],
    [{ const: null }, [null], [[0, 'expected null, found 0']]],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [[3, 'expected at most 2, found 3']]],
    [{ not: { type: 'string' } }, [5], [['x', 'is not allowed']]],
    [
      { oneOf: [{ type: 'string' }, { maximum: 2 }] },
      [1],
      [[3, 'fits none of 2 possibilities (expected a string, found 3; expected at most 2, found 3)']],
    ],
    [{ anyOf: [], oneOf: [] }, [1], []],
    [{ oneOf: [{ type: 'string' }] }, ['x'], [[3, 'fits none of 1 possibilities (expected a string, found 3)']]],
    [{ anyOf: [{ type: 'string' }] }, ['x'], [[3, 'fits none of 1 possibilities (expected a string, found 3)']]],
    [{ multipleOf: -1 }, [0.5], []],
    [{ minimum: '2', maxLength: 'x', minItems: null }, [1, 'abc', []], []],
    [{ enum: 'a', const: 1 }, [1], [[2, 'expected 1, found 2']]],
    [
      { uniqueItems: true },
      [
        [[1], { 0: 1 }],
        [{ a: 1 }, { a: 1, b: 1 }],
        [{ a: null }, { b: null }],
        ['1', 1],
      ],
      [],
    ],
  ]
  test.each(cases)('%j', (schema, fine, wrong) => {
    for (const value of fine) expect(faults(value, schema)).toEqual([])
    for (const [value, problem] of wrong) expect(faults(value, schema)).toEqual([`: ${problem}`])
  })

  test('false allows nothing, true everything', () => {
    expect(faults(1, false)).toEqual([': is not allowed'])
    expect(faults(1, true)).toEqual([])
  })

  test('properties by pattern, and those that neither covers', () => {
    const schema = {
      properties: { x_1: { maximum: 5 }, plain: true },
      patternProperties: { '^x_': { type: 'integer' }, '(': false },
      additionalProperties: { type: 'string' },
    }
    expect(faults({ x_1: 1, plain: 2, other: 'a' }, schema)).toEqual([])
    expect(faults({ x_1: 6.5, x_2: 'a', other: 5 }, schema)).toEqual([
      'x_1: expected at most 5, found 6.5',
      'x_1: expected an integer, found 6.5',
      'x_2: expected an integer, found "a"',
      'other: expected a string, found 5',
    ])
  })

  test('a property that matches a pattern is a known argument', () => {
    const schema = { properties: { a: true }, patternProperties: { '^x_': true }, additionalProperties: false }
    expect(faults({ a: 1, x_1: 2 }, schema)).toEqual([])
    expect(faults({ b: 1 }, schema)).toEqual(['b: is not an argument of this tool'])
    expect(faults({ b: 1 }, { patternProperties: { '^x_': false } })).toEqual([])
  })

  test('the first items may have separate schemas', () => {
    const schema = { prefixItems: [{ type: 'string' }, { type: 'null' }], items: { type: 'integer' } }
    expect(faults(['a', null, 1, 2], schema)).toEqual([])
    expect(faults([1, 'a', 'b'], schema)).toEqual([
      '[0]: expected a string, found 1',
      '[1]: expected null, found "a"',
      '[2]: expected an integer, found "b"',
    ])
  })

  test('a problem inside an alternative names its path', () => {
    const schema = { properties: { at: { anyOf: [{ required: ['x'] }, { type: 'null' }] } } }
    expect(faults({ at: {} }, schema)).toEqual(['at: fits none of 2 possibilities (at.x is missing; expected null, found {})'])
  })

  test('references are resolved with escapes and through lists', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/a~1b~0%20c' }, { $ref: '#/lists/1' }],
      $defs: { 'a/b~ c': { minimum: 2 } },
      lists: [{}, { maximum: 0 }],
    }
    expect(faults(1, schema)).toEqual([': expected at least 2, found 1', ': expected at most 0, found 1'])
    expect(faults(1, { $ref: '#/nowhere/at/all' })).toEqual([])
  })

  test('a long value is truncated to 60 characters', () => {
    const shown = (length: number) => faults('x'.repeat(length), { type: 'null' })[0]
    expect(shown(58)).toBe(`: expected null, found "${'x'.repeat(58)}"`)
    expect(shown(59)).toBe(`: expected null, found "${'x'.repeat(59)}…`)
  })
})

test('alternatives say why none fits', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  expect(faults(5, schema)).toEqual([': fits none of 2 possibilities (expected a string, found 5; expected null, found 5)'])
  expect(faults(null, schema)).toEqual([])
  expect(faults(5, { oneOf: [{ type: 'number' }, { type: 'integer' }] })).toEqual([': fits 2 possibilities, expected one'])
})

test('1.0 is an integer, and integers beyond 2^53 are compared whole', () => {
  expect(faults(parseJson('1.0'), { type: 'integer' })).toEqual([])
  expect(faults(parseJson('9007199254740993'), { const: parseJson('9007199254740993') })).toEqual([])
  expect(faults(parseJson('9007199254740993'), { const: parseJson('9007199254740992') }).length).toBe(1)
})

test('large integers are integers, and have limits', () => {
  const large = parseJson('123456789012345678901234567890')
  expect(faults(large, { type: 'integer', minimum: 5 })).toEqual([])
  expect(faults(large, { type: 'number', maximum: 5 })).toEqual([': expected at most 5, found 123456789012345678901234567890'])
  expect(faults(large, { enum: [1, large] })).toEqual([])
  expect(faults(1, { enum: [large] })).toHaveLength(1)
  expect(faults([large, large], { uniqueItems: true })).toHaveLength(1)
  expect(faults(parseJson('[1.0, 1]'), { uniqueItems: true })).toHaveLength(1)
})

test('a schema is followed to a depth of 200', () => {
  const nested = (depth: number): PyValue => (depth === 0 ? 'x' : { a: nested(depth - 1) })
  const rule = (depth: number): object => (depth === 0 ? { type: 'null' } : { properties: { a: rule(depth - 1) } })
  expect(faults(nested(200), rule(200))).toHaveLength(1)
  expect(faults(nested(201), rule(201))).toEqual([])
})

test('a schema may refer to itself, even in a cycle', () => {
  const schema = {
    $ref: '#/$defs/node',
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, id: { type: 'integer' } } } },
  }
  expect(faults({ next: { next: { id: 'x' } } }, schema)).toEqual(['next.next.id: expected an integer, found "x"'])
  expect(faults({}, { $ref: '#' })).toEqual([])
  expect(faults({}, { $ref: '#/%' })).toEqual([])
  expect(faults({}, { $ref: '#/%', '%': { required: ['a'] } })).toHaveLength(1)
  expect(faults({}, { $ref: 'https://example.org/schema' })).toEqual([])
})

test('an unreadable schema reports no problem', () => {
  for (const schema of [undefined, null, 5, 'x', [], { type: 'text' }, { pattern: '(' }, { required: 'a' }, { items: 3 }])
    expect(faults({ a: ['x'] }, schema)).toEqual([])
  expect(faults('x', { pattern: '(' })).toEqual([])
})

test('it agrees with Ajv on generated schemas and values', () => {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false })
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom(null, true, 0, 1, -3, 2.5, 'a', 'abc', '', 'é😀'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value
  const schema = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2 },
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object'),
            fc.constant(['string', 'null']),
          ),
          enum: fc.array(value, { minLength: 1, maxLength: 3 }),
          minimum: fc.integer({ min: -3, max: 3 }),
          exclusiveMaximum: fc.integer({ min: -3, max: 3 }),
          multipleOf: fc.constantFrom(0.5, 2),
          minLength: fc.nat(3),
          maxLength: fc.nat(3),
          pattern: fc.constantFrom('^a', 'c$', '.'),
          minItems: fc.nat(2),
          uniqueItems: fc.boolean(),
          required: fc.uniqueArray(fc.constantFrom('a', 'b')),
          const: value,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { noNullPrototype: true }),
          items: tie('schema'),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
        },
        { requiredKeys: [] },
      ),
    ),
  })).schema
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 10, maxLength: 20 }), (rules, values) => {
      const validate = ajv.compile(rules as object)
      for (const given of values) {
        const isFine = checkArguments(given as PyValue, rules).length === 0
        if (isFine !== validate(given)) throw new Error(`${JSON.stringify(given)} ours: ${isFine}, Ajv: ${JSON.stringify(validate.errors)}`)
      }
    }),
    { numRuns: propertyRuns(80) }, // compiling a schema takes Ajv milliseconds
  )
}, 30_000)

describe('an untrusted schema', () => {
  const checked = (value: unknown, schema: unknown) => checkArguments(value as PyValue, schema)
  const deep = (levels: number) => {
    const level = (n: number): object =>
      n === 0 ? { type: 'number' } : { anyOf: [{ $ref: `#/$defs/l${n - 1}` }, { $ref: `#/$defs/l${n - 1}` }] }
    return { $ref: `#/$defs/l${levels}`, $defs: Object.fromEntries(Array.from({ length: levels + 1 }, (_, n) => [`l${n}`, level(n)])) }
  }
  const bombs: [name: string, value: unknown, schema: unknown][] = [
    ['many groups', 'a'.repeat(5000), { pattern: `^${'(\\w*)'.repeat(70)}!$` }],
    ['names of properties', { ['a'.repeat(5000)]: 1 }, { patternProperties: { [`^${'(\\w*)'.repeat(70)}!$`]: false } }],
    ['a large pattern many times', Array.from({ length: 20_000 }, () => 'b'), { items: { pattern: '^(a{1,40}){1,40}$' } }],
    ['possibilities within possibilities', 'x', deep(40)],
    ['many different items', Array.from({ length: 50_000 }, (_, n) => n), { uniqueItems: true }],
    ['many possible values', Array.from({ length: 2000 }, () => 'x'), { items: { enum: Array.from({ length: 2000 }, (_, n) => `${n}`) } }],
    ['large values shown often', Array.from({ length: 3000 }, () => 'y'.repeat(30_000)), { items: { const: 'x' } }],
  ]
  test.each(bombs)('takes no longer than it may: %s', (_, value, schema) => {
    const elapsed = processorTimer()
    const problems = checked(value, schema)
    expect(elapsed()).toBeLessThan(5000)
    expect(Array.isArray(problems)).toBe(true)
  })

  test('that takes too many steps is reported', () => {
    expect(checked('x', deep(40))).toEqual([{ path: '', problem: "could not be checked: the tool's schema takes more than 100000 steps" }])
    expect(checked('x', deep(3))).toHaveLength(1)
    expect(checked(1, deep(40))).toEqual([])
  })

  test('with a pattern that would backtrack reports no problem', () => {
    expect(checked('ab', { pattern: '(a)\\1' })).toEqual([])
    expect(checked('b', { pattern: '^a' })).toEqual([{ path: '', problem: 'expected a match of ^a, found "b"' }])
  })
})
