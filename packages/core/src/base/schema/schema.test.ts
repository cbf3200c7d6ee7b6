import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z as zod } from 'zod'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { asZod } from '../../../../rolecall/src/model/model-types/as-zod.ts'
import { check } from '../errors/check.ts'
import { PromptError } from '../errors/prompt-error.ts'
import * as z from './schema.ts'

const affix = z.union([z.string(), z.array(z.union([z.string(), z.int().check(z.nonnegative())]))])
const turn = z.strictObject({
  role: z.string().check(z.describe('Who speaks.')),
  prompt: z.optional(z.string().check(z.minLength(1))),
  begin: z.optional(affix),
  mode: z.nullish(z.enum(['gen', 'ppl'])),
})
const schema = z
  .strictObject({
    begin: z.optional(z.union([z.string(), turn, z.array(z.union([z.string(), turn]))])),
    round: z.array(turn).check(z.minLength(1)),
    labels: z.optional(z.record(z.string(), z.union([z.string(), turn])).check(z.refine((labels) => !('round' in labels), 'a dialogue'))),
    style: z._default(z.union([z.literal([0, 1]), z.enum(['chat'])]), 0),
    pair: z.optional(z.tuple([z.string(), z.nullable(z.number())])),
    rest: z.optional(z.partial(z.looseObject({ role: z.boolean(), prompt: z.unknown() }))),
    // zod does not look at the items of a list that is too long.
    few: z.optional(z.array(z.unknown()).check(z.maxLength(2))),
    most: z.optional(z.number().check(z.positive())),
    share: z.optional(z.number().check(z.gt(-0.5), z.lte(1))),
    least: z.optional(z.int().check(z.gte(-1))),
    letters: z.optional(z.string().check(z.regex(/^[A-Z]+$/, 'expected capital letters only'))),
    own: z.optional(z.custom<() => void>((value) => typeof value === 'function', 'expected a function')),
    any: z.unknown(),
  })
  .check(z.describe('A template.'), z.meta({ title: 'Template' }))

const words = [
  'a',
  '',
  'gen',
  'chat',
  'role',
  0,
  1,
  2,
  -1,
  0.5,
  2 ** 60,
  -(2 ** 60),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  null,
  undefined,
]
const keys = [
  'role',
  'prompt',
  'begin',
  'mode',
  'round',
  'labels',
  'style',
  'pair',
  'rest',
  'few',
  'any',
  'rol',
  '__proto__',
  'constructor',
]
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...words, new Map(), new Date(0)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 5 }),
    fc.record({ role: fc.constantFrom('H', 'B', 3), prompt: tie('value'), begin: tie('value') }, { requiredKeys: ['role'] }),
  ),
}))
const templates = fc.record(
  {
    round: fc.array(values, { maxLength: 3 }),
    any: values,
    begin: values,
    labels: values,
    style: values,
    pair: values,
    rest: values,
    few: values,
    most: values,
    share: values,
    least: values,
    letters: values,
    own: values,
  },
  { requiredKeys: ['round', 'any'] },
)

function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    // Inside a union, zod has no words for what is too big.
    return { error: error.message.replace(/Too big: [^.]*/, 'Invalid input'), code: error.code }
  }
}

test('reads what zod reads, and reports what zod reports', () => {
  fc.assert(
    fc.property(fc.oneof(values, templates), (value) => {
      expect(outcome(() => check(schema, value, 'here'))).toStrictEqual(outcome(() => check(asZod(schema), value, 'here')))
    }),
    { numRuns: propertyRuns(5000) },
  )
})

test.each([
  [
    { round: [{ role: 'H' }], any: 1 },
    { round: [{ role: 'H' }], any: 1, style: 0 },
  ],
  [
    { round: [{ role: 'H', prompt: undefined }], any: 1, pair: ['a', null], rest: { x: 1 } },
    expect.objectContaining({ pair: ['a', null] }),
  ],
  [
    { round: [], any: 1 },
    { code: 'empty', error: 'here.round: the list is empty. Give it at least one entry.' },
  ],
  [{ round: [{ role: 'H' }] }, { code: 'missing', error: 'here.any: "any" is missing. Add it (expected a value).' }],
  [
    { round: [{ rol: 'H' }], any: 1 },
    { code: 'missing', error: 'here.round[0].role: "role" is missing. Did you mean it by "rol"?' },
  ],
  [
    { round: [{ role: 'H', mode: 'gn' }], any: 1 },
    { code: 'wrong-value', error: 'here.round[0].mode: the string "gn" is not allowed here. Did you mean "gen"? use one of: gen, ppl.' },
  ],
])('%j', (value, expected) => {
  expect(outcome(() => check(schema, value, 'here'))).toEqual(expected)
})

test('a schema as JSON Schema has the descriptions', () => {
  expect(zod.toJSONSchema(asZod(schema), { io: 'input', unrepresentable: 'any' })).toMatchObject({
    title: 'Template',
    description: 'A template.',
    required: ['round', 'any'],
    additionalProperties: false,
    properties: { round: { minItems: 1, items: { properties: { role: { type: 'string', description: 'Who speaks.' } } } } },
  })
  expect(asZod(schema)).toBe(asZod(schema))
})
