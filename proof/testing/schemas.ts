import fc from 'fast-check'

/** A schema and a valid value, with properties in the schema's order. */
export type SchemaWithValue = { schema: Record<string, unknown>; value: unknown }

type Both = fc.Arbitrary<SchemaWithValue>

const names = ['a', 'b', 'name', 'na', 'ключ', '"q"', 'x/y', 'line\n']

/** Random enforceable schemas, each with a valid value. */
export function schemasWithValues(depth = 3): Both {
  const leaves: Both[] = [
    strings,
    patterned,
    integers,
    numbers,
    literals,
    fc.constant({ schema: { type: 'null' }, value: null }),
    booleans,
    anything,
  ]
  if (depth === 0) return fc.oneof(...leaves)
  const inner = schemasWithValues(depth - 1)
  return fc.oneof(
    { weight: 2, arbitrary: fc.oneof(...leaves) },
    { weight: 3, arbitrary: objects(inner) },
    { weight: 2, arbitrary: arrays(inner) },
    unions(inner),
    tuples(inner),
    referring(inner),
    merged(inner),
  )
}

const text = fc.string({
  unit: fc.oneof(fc.constantFrom('a', 'Z', ' ', '"', '\\', '\n', '/', 'é', '漢', '😀', '\u0001', '\u007f')),
  maxLength: 6,
})

const booleans: Both = fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value }))

const anything: Both = fc
  .oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    text,
    fc.array(fc.integer(), { maxLength: 2 }),
    fc.dictionary(text, fc.integer(), { maxKeys: 2 }),
  )
  .map((value) => ({ schema: {}, value: JSON.parse(JSON.stringify(value)) as unknown }))

const strings: Both = fc.record({ value: text, below: fc.nat(2), above: fc.option(fc.nat(3)) }).map(({ value, below, above }) => ({
  schema: {
    type: 'string',
    ...(below > 0 ? { minLength: Math.max(0, [...value].length - below) } : {}),
    ...(above === null ? {} : { maxLength: [...value].length + above }),
  },
  value,
}))

/** Patterns with matching texts. */
const patterned: Both = fc
  .constantFrom<[pattern: string, text: string]>(
    ['^[a-z]{2,4}$', 'abc'],
    ['[0-9]', 'x7\n'],
    ['^(foo|bar)?-\\d+$', 'foo-12'],
    ['^\\p{Lu}', 'Äb'],
    ['é+$', 'caféé'],
    ['^[^"a]*$', '\\n'],
    ['^"\\\\\\n$', '"\\\n'],
    ['^.😀.$', 'a😀b'],
  )
  .chain(([pattern, value]) =>
    fc.boolean().map((hasLimit) => ({ schema: { type: 'string', pattern, ...(hasLimit ? { maxLength: 9 } : {}) }, value })),
  )

const integers: Both = fc
  .record({
    value: fc.integer({ min: -100_000, max: 100_000 }),
    below: fc.option(fc.nat(1000)),
    above: fc.option(fc.nat(1000)),
    step: fc.constantFrom(1, 1, 3, 10),
  })
  .map(({ value: given, below, above, step }) => {
    const value = given - (given % step) || 0
    return {
      schema: {
        type: 'integer',
        ...(below === null ? {} : { minimum: value - below }),
        ...(above === null ? {} : { exclusiveMaximum: value + above + 1 }),
        ...(step === 1 ? {} : { multipleOf: step }),
      },
      value,
    }
  })

const numbers: Both = fc
  .record({
    value: fc.oneof(
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.integer({ min: -50, max: 50 }).map((one) => one / 8),
    ),
    kind: fc.constantFrom('none', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
    distance: fc.constantFrom(0, 0.5, 3, 1e5),
  })
  .map(({ value: given, kind, distance }) => {
    // Smaller numbers are written with an exponent, which bounded numbers do not support.
    const value = Math.abs(given) < 1e-6 ? 0 : given
    const limit = kind.endsWith('inimum') ? value - distance : value + distance
    const isNone = kind === 'none' || (kind.startsWith('exclusive') && limit === value) || (limit !== 0 && Math.abs(limit) < 1e-6)
    return { schema: { type: 'number', ...(isNone ? {} : { [kind]: limit }) }, value }
  })

const literals: Both = fc
  .record({
    values: fc.uniqueArray(fc.oneof(text, fc.integer(), fc.constant(null), fc.constant({ a: [1, 'x'] })), {
      minLength: 1,
      maxLength: 4,
      comparator: (one, other) => JSON.stringify(one) === JSON.stringify(other),
    }),
    pick: fc.nat(),
    isConst: fc.boolean(),
  })
  .map(({ values, pick, isConst }) => {
    const value: unknown = values[pick % values.length]
    return { schema: isConst ? { const: value } : { enum: values }, value }
  })

function objects(inner: Both): Both {
  return fc
    .record({
      properties: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), inner, fc.boolean(), fc.boolean()), {
        maxLength: 4,
        selector: ([name]) => name,
      }),
      others: fc.option(fc.tuple(text, inner)),
      isOpen: fc.boolean(),
      limits: fc.boolean(),
    })
    .map(({ properties, others, isOpen, limits }) => {
      const value: [string, unknown][] = properties.flatMap(([name, one, isRequired, isThere]) =>
        isRequired || isThere ? [[name, one.value]] : [],
      )
      const known = new Set(properties.map(([name]) => name))
      const extra = others && !known.has(others[0]) ? others : undefined
      if (extra) value.push([extra[0], extra[1].value])
      const required = properties.flatMap(([name, , isRequired]) => (isRequired ? [name] : []))
      const closed = isOpen ? {} : { additionalProperties: false }
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(properties.map(([name, one]) => [name, one.schema])),
          required,
          ...(extra ? { additionalProperties: extra[1].schema } : closed),
          ...(limits ? { maxProperties: Math.max(value.length, required.length), minProperties: Math.min(value.length, 1) } : {}),
        },
        value: Object.fromEntries(value),
      }
    })
}

function arrays(inner: Both): Both {
  return inner.chain(({ schema, value }) =>
    fc.record({ count: fc.nat(3), below: fc.option(fc.nat(1)), above: fc.option(fc.nat(1)) }).map(({ count, below, above }) => ({
      schema: {
        type: 'array',
        items: schema,
        ...(below === null ? {} : { minItems: Math.max(0, count - below) }),
        ...(above === null ? {} : { maxItems: count + above }),
      },
      value: Array.from({ length: count }, () => value),
    })),
  )
}

function tuples(inner: Both): Both {
  return fc.tuple(inner, inner).map(([one, other]) => ({
    schema: { type: 'array', prefixItems: [one.schema, other.schema], items: false, minItems: 1 },
    value: [one.value, other.value],
  }))
}

function unions(inner: Both): Both {
  return fc
    .tuple(inner, inner)
    .map(([one, other]) => ({ schema: { anyOf: [other.schema, one.schema], description: 'either' }, value: one.value }))
}

/** A recursive list, or a list of something else; definitions are added to the schema that uses them. */
function referring(inner: Both): Both {
  return inner.map(({ schema, value }) => ({
    schema: {
      type: ['object'],
      properties: { item: schema, note: { type: ['string', 'null'] } },
      required: ['item', 'note'],
      additionalProperties: false,
    },
    value: { item: value, note: null },
  }))
}

function merged(inner: Both): Both {
  return fc.tuple(inner, inner).map(([one, other]) => ({
    schema: {
      type: 'object',
      allOf: [{ properties: { one: one.schema }, required: ['one'] }, { properties: { other: other.schema } }],
    },
    value: { one: one.value, other: other.value },
  }))
}
