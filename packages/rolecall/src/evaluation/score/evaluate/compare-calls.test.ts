import { describe, expect, test } from 'vitest'
import { type PyDict, type PyValue, pyFloat } from '../../../../../core/src/base/python/index.ts'
import type { RecordedCall } from '../../../../../core/src/reply/recorded-call.ts'
import { type CompareOptions, compareCalls } from './compare-calls.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] }
const tools: PyDict[] = [{ name: 'trip', parameters }]
const trip = (city: PyValue, more: Record<string, PyValue> = {}) => ({ name: 'trip', arguments: { city, ...more } })

function compare(calls: readonly RecordedCall[], expected: PyValue, options: Partial<CompareOptions> = {}): string {
  const { isRight, reason } = compareCalls(calls, expected, tools, { arguments: 'exact', order: 'any', ...options })
  expect(isRight).toBe(reason === undefined)
  return reason ?? 'right'
}

describe('one call', () => {
  test('must have the expected name and arguments', () => {
    expect(compare([trip('Rome', { days: 3 })], [trip('Rome', { days: pyFloat(3) })])).toBe('right')
    expect(compare([trip('Oslo')], [trip('Rome')])).toBe('trip: city is "Oslo", and "Rome" is expected')
    expect(compare([trip('Rome', { days: 1 })], [trip('Rome')])).toBe('trip: days is not expected')
    expect(compare([trip('Rome')], [trip('Rome', { days: 1 })])).toBe('trip: days is missing')
    expect(compare([trip('Rome', { days: true })], [trip('Rome', { days: 1 })])).toContain('days is true')
    expect(compare([{ name: 'stay', arguments: {} }], [trip('Rome')])).toBe('it calls stay, and trip is expected')
    expect(compare([{ name: 'trip', arguments: [1] }], [trip('Rome')])).toBe('the arguments of trip are not a JSON object')
  })

  test('by schema, must have arguments that the tool allows', () => {
    expect(compare([trip('Oslo', { days: 2 })], [trip('Rome')], { arguments: 'schema' })).toBe('right')
    expect(compare([trip('Oslo', { days: 'two' })], [trip('Rome')], { arguments: 'schema' })).toContain('trip: days')
    expect(compare([{ name: 'stay', arguments: {} }], [{ name: 'stay', arguments: {} }], { arguments: 'schema' })).toBe(
      'stay is none of the tools',
    )
    expect(compare([trip(1, { days: 'two' })], [trip('Rome')], { arguments: 'ignore' })).toBe('right')
  })

  test('may be expected in the shape of a chat, or as JSON', () => {
    const wrapped = [{ id: 'a', type: 'function', function: { name: 'trip', arguments: '{"city": "Rome"}' } }]
    expect(compare([trip('Rome')], wrapped)).toBe('right')
    expect(compare([trip('Rome')], JSON.stringify(wrapped))).toBe('right')
    expect(compare([{ code: 'print(1)\n' }], [{ code: 'print(1)' }])).toBe('right')
    expect(compare([{ code: 'print(2)' }], [{ code: 'print(1)' }])).toBe('its code is another')
    expect(() => compare([], 'trip(Rome)')).toThrow('the expected calls: it is not JSON')
    expect(() => compare([], { name: 'trip' })).toThrow('what is expected is not a list of calls')
  })
})

describe('several calls', () => {
  test('match in any order, or in the same', () => {
    expect(compare([trip('Oslo'), trip('Rome')], [trip('Rome'), trip('Oslo')])).toBe('right')
    expect(compare([trip('Oslo'), trip('Rome')], [trip('Rome'), trip('Oslo')], { order: 'same' })).toContain('city is "Oslo"')
    expect(compare([trip('Rome')], [trip('Rome'), trip('Rome')])).toBe('it makes 1 call (trip), and 2 calls are expected (trip, trip)')
    expect(compare([trip('Rome'), trip('Rome')], [trip('Rome'), trip('Oslo')])).toContain('city is "Rome", and "Oslo" is expected')
  })

  test('are paired so that as many as possible match', () => {
    // By schema the first call matches both, by its days only one of them.
    const expected = [trip('Rome'), trip('Oslo')]
    expect(compare([trip('Oslo'), trip('Rome')], expected, { arguments: 'schema' })).toBe('right')
  })
})

describe('no call', () => {
  test('is right if none is expected', () => {
    expect(compare([], [])).toBe('right')
    expect(compare([trip('Rome')], [])).toBe('it calls trip, and no call is expected')
    expect(compare([], [trip('Rome')])).toBe('it calls nothing, and trip is expected')
  })

  test('a malformed call is wrong, whatever is expected', () => {
    const broken = { malformed: '{"name": "trip"', problem: 'it ends before its JSON does' }
    expect(compare([broken], [])).toBe('a call cannot be read: it ends before its JSON does')
    expect(compare([trip('Rome'), broken], [trip('Rome')])).toContain('cannot be read')
  })
})

test('the right tools are reported separately from the right arguments', () => {
  const named = (calls: readonly RecordedCall[], expected: PyValue) =>
    compareCalls(calls, expected, tools, { arguments: 'exact', order: 'any' }).hasNames
  expect(named([trip('Oslo')], [trip('Rome')])).toBe(true)
  expect(named([{ name: 'stay', arguments: {} }], [trip('Rome')])).toBe(false)
})
