import { describe, expect, test } from 'vitest'
import { schemaBomb } from '../../../../../proof/testing/attack/schema-bombs.ts'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { compileConstraint } from '../compile-constraint.ts'

const accepts = (schema: unknown, text: string) => compileConstraint({ kind: 'json-schema', schema, where: 'output' }).accepts(text)

function errorOf(schema: unknown): PromptError {
  try {
    compileConstraint({ kind: 'json-schema', schema, where: 'output' })
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('keywords that cannot be enforced are refused with their path:', () => {
  const refused: [name: string, schema: unknown, where: string][] = [
    [
      'type',
      { type: 'object', properties: { a: { type: 'number', not: { type: 'integer' } } }, required: ['a'] },
      'output#/properties/a/not/type',
    ],
    ['not', { not: { uniqueItems: true } }, 'output#/not/uniqueItems'],
    [
      '$dynamicRef',
      { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a' }, b: { $id: 'b', $dynamicAnchor: 'a' } } },
      'output#/$dynamicRef',
    ],
    ['uniqueItems', { type: 'array', uniqueItems: true }, 'output#/uniqueItems'],
    ['patternProperties', { type: 'object', patternProperties: { '(?=a)': {} } }, 'output#/patternProperties/(?=a)'],
    ['propertyNames', { type: 'object', propertyNames: { pattern: '(?=a)' } }, 'output#/propertyNames/pattern'],
    ['minProperties', { type: 'object', minProperties: 2 }, 'output#/minProperties'],
    ['multipleOf', { type: 'number', multipleOf: 1234.5 }, 'output#/multipleOf'],
    ['pattern', { type: 'string', pattern: '(?=ab)a' }, 'output#/pattern'],
    ['pattern', { type: 'array', items: { type: 'string', pattern: '(a)\\1' } }, 'output#/items/pattern'],
    ['pattern', { type: 'string', pattern: '\\bword' }, 'output#/pattern'],
    ['pattern', { type: 'string', pattern: '(a{1000}){1000}' }, 'output#/pattern'],
    ['format', { type: 'string', format: 'isbn' }, 'output#/format'],
    ['type', { type: 'float' }, 'output#/type'],
    ['$ref', { $ref: 'https://example.org/schema.json' }, 'output#/$ref'],
    ['$ref', { $ref: '#/$defs/missing' }, 'output#/$ref'],
    ['type', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, 'output#/oneOf/1/type'],
    ['nullable', { type: 'string', nullable: true }, 'output#/nullable'],
    ['exclusiveMinimum', { type: 'integer', minimum: 1, exclusiveMinimum: true }, 'output#/exclusiveMinimum'],
    ['names with slashes', { type: 'object', properties: { 'a/b~': { format: 'x' } } }, 'output#/properties/a~1b~0/format'],
  ]
  for (const [name, schema, where] of refused) {
    test(`${name} in ${JSON.stringify(schema)}`, () => {
      const error = errorOf(schema)
      expect(error.code).toBe('cannot-constrain')
      expect(error.where).toBe(where)
      const keyword = where.split('/').at(-1)!
      expect(error.problem).toContain(keyword)
    })
  }

  test('schemas that no value satisfies', () => {
    for (const schema of [
      false,
      { type: 'integer', minimum: 5, maximum: 4 },
      { type: 'string', minLength: 3, maxLength: 2 },
      { type: 'array', items: { $ref: '#' }, minItems: 1 },
      { type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] },
      { enum: [1, 2], type: 'string' },
      { allOf: [{ type: 'string' }, { type: 'null' }] },
      { type: 'string', pattern: '^a$', minLength: 2 },
    ]) {
      expect(errorOf(schema).problem, JSON.stringify(schema)).toContain('no value satisfies')
    }
  })
})

describe('conditions and exclusions are enforced:', () => {
  const cases: [schema: object, good: unknown[], bad: unknown[]][] = [
    [{ type: 'string', not: { enum: ['a', 'b'] } }, ['c', 'ab', ''], ['a', 'b', 1]],
    [{ type: 'integer', not: { const: 5 } }, [4, 6, -5], [5]],
    [{ type: 'string', not: { pattern: '^a' } }, ['ba', ''], ['a', 'ab']],
    [{ type: 'object', properties: { a: { type: 'integer' } }, not: { required: ['a'] } }, [{}, { b: 1 }], [{ a: 1 }]],
    [
      {
        type: 'object',
        properties: { kind: { enum: ['card', 'cash'] }, number: { type: 'string' } },
        required: ['kind'],
        additionalProperties: false,
        if: { properties: { kind: { const: 'card' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['number'] },
      },
      [{ kind: 'cash' }, { kind: 'card', number: '1' }, { kind: 'cash', number: '1' }],
      [{ kind: 'card' }],
    ],
    [
      { type: 'object', properties: { a: {}, b: {} }, additionalProperties: false, dependentRequired: { a: ['b'] } },
      [{}, { b: 1 }, { a: 1, b: 2 }],
      [{ a: 1 }],
    ],
    [{ type: 'array', items: { type: 'integer' }, contains: { minimum: 5 } }, [[5], [7, 1]], [[], [1]]],
    [{ type: 'array', items: { enum: [1, 2] }, contains: { const: 1 }, maxContains: 1 }, [[1], [1, 2]], [[1, 1], [2]]],
    [
      { type: 'object', patternProperties: { '^n_': { type: 'integer' } }, additionalProperties: false },
      [{}, { n_a: 1 }],
      [{ n_a: 'x' }, { b: 1 }],
    ],
    [{ type: 'object', patternProperties: { '^n_': { type: 'integer' } } }, [{ b: 'x' }, { n_: 1 }], [{ n_a: 'x' }]],
    [{ type: 'object', propertyNames: { pattern: '^[a-z]+$', maxLength: 3 } }, [{ abc: 1 }], [{ abcd: 1 }, { A: 1 }]],
    [{ type: 'object', propertyNames: false }, [{}], [{ a: 1 }]],
    [
      { allOf: [{ properties: { a: { type: 'integer' } } }], type: 'object', unevaluatedProperties: false },
      [{}, { a: 1 }],
      [{ b: 1 }, { a: 'x' }],
    ],
    [{ type: 'array', prefixItems: [{ type: 'integer' }], unevaluatedItems: false }, [[], [1]], [[1, 2]]],
    [{ type: 'number', multipleOf: 0.25 }, [0.5, 3, -1.75], [0.3, 1.1]],
    [{ type: 'integer', multipleOf: 0.5, minimum: 2 }, [2, 3], [1, 2.5]],
    [
      {
        oneOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
      },
      [{ a: 1 }, { b: 1, c: 1 }],
      [{}, { a: 1, b: 1 }],
    ],
    // Keywords of other types say nothing about a value, so that it may fit several schemas.
    [{ type: ['null', 'number'], oneOf: [{ const: null }, { maximum: 1 }] }, [0, 1], [null, 2]],
    [{ type: ['string', 'integer'], oneOf: [{ minimum: 1 }, { maxLength: 1 }] }, [0, 'ab'], [2, 'a']],
    [{ anyOf: [{ type: 'null' }, { oneOf: [{ const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }] }] }, [null], [{ a: 1, b: 2 }]],
    [{ const: 1, enum: [1, 2] }, [1], [2]],
    [{ anyOf: [{ type: 'null' }, { const: 1, enum: [2] }] }, [null], [1, 2]],
    [{ type: 'array', items: { not: { properties: { 'a/b': { type: 'null' } } } } }, [[{ 'a/b': 1 }]], [[{ 'a/b': null }], [{}]]],
    [{ $ref: '#here', $defs: { x: { $anchor: 'here', type: 'integer' } } }, [1], ['a']],
    [{ $id: 'https://example.org/a.json', $ref: 'b.json', $defs: { x: { $id: 'b.json', type: 'integer' } } }, [1], ['a']],
  ]
  for (const [schema, good, bad] of cases) {
    test(JSON.stringify(schema), () => {
      for (const value of good) expect(accepts(schema, JSON.stringify(value)), JSON.stringify(value)).toBe(true)
      for (const value of bad) expect(accepts(schema, JSON.stringify(value)), JSON.stringify(value)).toBe(false)
    })
  }
})

test('alternatives that a constant tells apart need no type', () => {
  const kinds = Array.from({ length: 16 }, (_, index) => ({ properties: { kind: { const: `k${index}` } }, required: ['kind'] }))
  expect(accepts({ oneOf: kinds }, '{"kind": "k7"}')).toBe(true)
  expect(accepts({ oneOf: kinds }, '"k7"')).toBe(false)
})

test('combinations are charged while they are combined', () => {
  const timer = processorTimer()
  for (const names of [5, 20, 150]) expect(errorOf(schemaBomb(12, names)).problem).toMatch(/more than [\d,]+ (steps|parts)/)
  expect(timer()).toBeLessThan(30_000)
  expect(accepts(schemaBomb(3, 5), '{"p0_0_0":1}')).toBe(true)
})

test('numbers that are too small to be written are refused for that reason', () => {
  expect(errorOf({ type: 'number', minimum: 1e-300, maximum: 1e-299 })).toMatchObject({
    where: 'output#/minimum',
    problem: expect.stringContaining('24 decimals'),
  })
  expect(accepts({ type: 'number', minimum: 1e-300 }, '0.5')).toBe(true)
})

test('properties follow the order of the schema, unnamed ones come last', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['b'] }
  expect(accepts(schema, '{"a":1,"b":2}')).toBe(true)
  expect(accepts(schema, '{"b":2}')).toBe(true)
  expect(accepts(schema, '{"b":2,"c":null}')).toBe(true)
  expect(accepts(schema, '{"b":2,"a":1}')).toBe(false)
  expect(accepts(schema, '{"c":null,"b":2}')).toBe(false)
  expect(accepts(schema, '{"a":1}')).toBe(false)
  expect(accepts({ ...schema, additionalProperties: false }, '{"b":2,"c":null}')).toBe(false)
  // The same name with other escapes would be the same property.
  expect(accepts(schema, '{"b":2,"\\u0061":"x"}')).toBe(false)
})

test('white space is one space, or a new line with some indentation', () => {
  const schema = { type: 'array', items: { type: 'object' } }
  for (const text of ['[{}, {}]', '[\n  {},\n  {}\n]', `[\n${' '.repeat(20)}{}]`]) expect(accepts(schema, text), text).toBe(true)
  for (const text of [' [{},{}]', '\n[]', '[  {}]', `[\n${' '.repeat(21)}{}]`, '[\n\n{}]', '[{}] ', '[{} ,{}]\n'])
    expect(accepts(schema, text), text).toBe(false)
})

test('schemas may refer to themselves', () => {
  const tree = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        required: ['value'],
        additionalProperties: false,
      },
    },
  }
  expect(accepts(tree, '{"value":1,"children":[{"value":2,"children":[]},{"value":3}]}')).toBe(true)
  expect(accepts(tree, '{"value":1,"children":[{"value":"2"}]}')).toBe(false)
  expect(accepts({ anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: '#' } }] }, '[[null],[[]]]')).toBe(true)
})

test('allOf applies as a whole, together with its siblings', () => {
  const schema = {
    type: 'object',
    properties: { kind: { enum: ['a', 'b', 'c'] } },
    allOf: [
      { properties: { kind: { enum: ['b', 'c', 'd'] }, size: { minimum: 2 } }, required: ['kind'] },
      { properties: { size: { type: 'integer', maximum: 3 } } },
    ],
    anyOf: [{ required: ['size'] }, { properties: { kind: { const: 'c' } } }],
    additionalProperties: false,
  }
  // `additionalProperties` knows only the properties beside it: a size is never allowed.
  expect(accepts(schema, '{"kind":"c"}')).toBe(true)
  expect(accepts(schema, '{"kind":"b"}')).toBe(false)
  expect(accepts(schema, '{"kind":"a","size":2}')).toBe(false)
  const open = { ...schema, additionalProperties: true }
  expect(accepts(open, '{"kind":"b","size":2}')).toBe(true)
  expect(accepts(open, '{"kind":"b","size":4}')).toBe(false)
  expect(accepts(open, '{"kind":"b"}')).toBe(false)
})

test('oneOf is enforced if types or constants distinguish its schemas', () => {
  const shapes = {
    oneOf: [
      { type: 'object', properties: { type: { const: 'circle' }, radius: { type: 'number' } }, required: ['type', 'radius'] },
      { type: 'object', properties: { type: { enum: ['square'] }, side: { type: 'number' } }, required: ['type', 'side'] },
      { type: ['string', 'null'] },
    ],
  }
  for (const text of ['{"type":"circle","radius":1.5}', '{"type":"square","side":2}', 'null', '"x"'])
    expect(accepts(shapes, text), text).toBe(true)
  expect(accepts(shapes, '{"type":"circle","side":2}')).toBe(false)
})

test('properties may be listed by propertyNames, as maps of enums are', () => {
  const schema = { type: 'object', propertyNames: { enum: ['x', 'y'] }, additionalProperties: { type: 'integer' } }
  expect(accepts(schema, '{"x":1,"y":2}')).toBe(true)
  expect(accepts(schema, '{"z":1}')).toBe(false)
})

test('a schema without a type gets the type of its keywords', () => {
  expect(accepts({ properties: { a: { minimum: 3 } } }, '{"a":3}')).toBe(true)
  expect(accepts({ properties: { a: { minimum: 3 } } }, '5')).toBe(false)
  for (const text of ['1.5e-7', '"x"', 'null', '[1,{"a":[]}]']) expect(accepts({}, text), text).toBe(true)
})

describe('an untrusted schema compiles in bounded time, or is refused:', () => {
  const nested = (levels: number, around: (inner: unknown) => unknown) => {
    let made: unknown = 1
    for (let level = 0; level < levels; level++) made = around(made)
    return made
  }
  const many = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, index) => make(index))
  const chain = Object.fromEntries(many(3000, (index) => [`d${index}`, { type: 'array', items: { $ref: `#/$defs/d${index + 1}` } }]))
  const hostile: [name: string, schema: unknown, problem: RegExp][] = [
    ['constants in constants', { const: nested(50_000, (inner) => [inner]) }, /nested more than 500 levels/],
    ['schemas in schemas', nested(50_000, (items) => ({ type: 'array', items })), /nested more than 500 levels/],
    ['references in a row', { $ref: '#/$defs/d0', $defs: chain }, /refers from one schema to the next/],
    ['a large constant', { const: many(20_000, (index) => [index]) }, /more than 5000 parts/],
    [
      'many alternatives',
      { oneOf: many(1000, (a) => ({ type: 'object', required: ['k'], properties: { k: { const: a } } })) },
      /oneOf has/,
    ],
    [
      'a pattern of parts that may be left out, with a length',
      { pattern: '([a-z]?){1000}0', maxLength: 500 },
      /takes too long to find out/,
    ],
    ['values that take long to check', { enum: [many(200_000, String)], items: { type: 'string' } }, /too long to check/],
  ]
  for (const [name, schema, problem] of hostile) test(name, () => expect(errorOf(schema).message).toMatch(problem))

  test('thousands of values do not take quadratic time', () => {
    const words = many(3000, String)
    const started = process.cpuUsage().user
    expect(accepts({ enum: words, description: 'a number' }, '"2999"')).toBe(true)
    expect(accepts({ oneOf: words.map((word) => ({ const: word })) }, '"2999"')).toBe(true)
    expect(accepts({ allOf: [{ enum: words }, { enum: words.slice(10) }] }, '"9"')).toBe(false)
    expect((process.cpuUsage().user - started) / 1e6).toBeLessThan(4)
  })
})

test('a misspelt keyword is reported with a suggestion', () => {
  expect(errorOf({ type: 'object', proprties: {} }).fix).toBe('did you mean "properties"?')
  expect(errorOf({ type: 'object', $recursiveRef: '#' }).fix).toContain('leave $recursiveRef out')
})

test('of the listed values, those count that the rest of the schema allows', () => {
  expect(accepts({ enum: [{ b: 1, a: [2] }, 3], allOf: [{ enum: [4, { a: [2], b: 1 }] }] }, '{"b":1,"a":[2]}')).toBe(true)
  expect(accepts({ enum: ['a', 'bb'], minLength: 2 }, '"a"')).toBe(false)
  expect(errorOf({ enum: ['a'], minLength: 2 }).message).toContain('no value satisfies')
})
