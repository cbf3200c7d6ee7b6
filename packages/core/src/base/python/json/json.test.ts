import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../proof/testing/sampling.ts'
import { dictFromEntries, type PyValue, pyFloat } from '../values/data.ts'
import { pyRepr } from '../values/repr.ts'
import { parseJson, readJson } from './parse-json.ts'
import { stringifyJson } from './stringify-json.ts'

// Keys and strings from any UTF-16 units, lone surrogates included, and those that trip JavaScript objects.
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 5 }).map((units) => String.fromCharCode(...units)),
)
const anyKey = fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', 'toString', '01', '-1'), fc.nat().map(String))

const { value: anyValue } = fc.letrec<{ value: PyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger().map((int) => int || 0),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }).chain((int) => fc.constantFrom(int, -int)),
    fc.oneof(fc.double(), fc.integer()).map(pyFloat),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(anyKey, tie('value')), { maxLength: 4 }).map(dictFromEntries),
  ),
}))

const anyOptions = fc.record(
  {
    indent: fc.constantFrom(null, 0, 2, '\t'),
    ensureAscii: fc.boolean(),
    separators: fc.constantFrom(null, [',', ':'] as const, [' , ', ' : '] as const),
  },
  { requiredKeys: [] },
)

test('a value written as JSON and read again is the same value, in the same order', () => {
  fc.assert(
    fc.property(anyValue, anyOptions, (value, options) => {
      const again = parseJson(stringifyJson(value, options))
      expect(again).toEqual(value)
      expect(pyRepr(again)).toBe(pyRepr(value)) // toEqual does not look at the order of keys
    }),
    { numRuns: propertyRuns(1000) },
  )
})

const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r')
const spaced = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((parts) => parts.join(''))
const keyText = fc.constantFrom('"a"', '"b"', '"a1"', '"1"', '"0"', '"01"', '"\\u0031"', '"__proto__"', '"\\u005f_proto__"', '"\\"1"', '""')
const numberText = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,3})(\.\d{1,3})?$/),
  fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.(0|9|\d){1,17})?([eE][-+]?\d{1,2})?$/),
)
const stringText = fc.oneof(
  anyText.map((text) => JSON.stringify(text)),
  fc.constantFrom('"1"', '"[["', '"\\\\"', '"\\"]"', '"1.0"', '"\\ud83d"'),
)
const { text: anyJsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: spaced(
    fc.oneof(
      { depthSize: 'small' },
      numberText,
      stringText,
      fc.constantFrom('null', 'true', 'false', 'NaN', '-Infinity', 'nul', ''),
      fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc
        .array(fc.tuple(spaced(keyText), tie('text')), { maxLength: 4 })
        .map((items) => `{${items.map((item) => item.join(':')).join(',')}}`),
    ),
  ),
}))

test('the fast way through JSON.parse and the exact reader agree on values and errors', () => {
  fc.assert(
    fc.property(anyJsonText, (text) => {
      const [fast, exact] = [outcome(parseJson, text), outcome(readJson, text)]
      expect(fast).toEqual(exact)
      if ('value' in fast && 'value' in exact) expect(pyRepr(fast.value)).toBe(pyRepr(exact.value))
    }),
    { numRuns: propertyRuns(5000) },
  )
})

function outcome(read: (text: string) => PyValue, text: string): { value: PyValue } | { error: string } {
  try {
    return { value: read(text) }
  } catch (error) {
    return { error: String(error) }
  }
}
