import { expect, test } from 'vitest'
import { dictGet, type PyValue, stringifyJson } from '../../../../../core/src/base/python/index.ts'
import { bfclRow, classFile } from './bfcl-row.ts'

const parameter = (type: string, more: object = {}) => ({ type, description: 'It.', ...more })
const documented = (name: string, properties: object) => ({
  name,
  description: 'Do it.',
  parameters: { type: 'dict', properties: properties as PyValue, required: [] },
})
const entry = (id: string, ...functions: PyValue[]) => ({
  id,
  question: [[{ role: 'user', content: 'Go.' }]],
  function: functions,
})
const toolOf = (row: ReturnType<typeof bfclRow>) => stringifyJson((dictGet(row, 'tools') as PyValue[])[0]!)

test('a row has the category of its id, its first turn as messages, and tools with JSON Schema types', () => {
  const row = bfclRow(
    entry('live_simple_3-1-0', documented('map.go', { far: parameter('float'), to: parameter('tuple', { items: { type: 'any' } }) })),
  )
  expect(dictGet(row, 'category')).toBe('live_simple')
  expect(dictGet(row, 'messages')).toEqual([{ role: 'user', content: 'Go.' }])
  expect(toolOf(row)).toBe(
    '{"type": "function", "function": {"name": "map_go", "description": "Do it. Note that the provided function is in Python 3 syntax.", "parameters": {"type": "object", "properties": {"far": {"type": "number", "description": "It. This is a float type value.", "format": "float"}, "to": {"type": "array", "description": "It.", "items": {"type": "string"}}}, "required": []}}}',
  )
})

test('parameters of Java and JavaScript are strings that describe their type', () => {
  const java = bfclRow(entry('simple_java_0', documented('go', { keys: parameter('ArrayList', { items: { type: 'String' } }) })))
  expect(toolOf(java)).toContain(
    'It. This is Java ArrayList type parameter in string representation. The list elements are of type String; they',
  )
  const script = bfclRow(
    entry('simple_javascript_0', documented('go', { how: parameter('dict', { properties: { fast: { type: 'Boolean' } } }) })),
  )
  expect(toolOf(script)).toContain('The dictionary entries have the following schema; they are not in string representation.')
  expect(toolOf(script)).not.toContain('"object", "properties": {"fast"')
})

test('an invalid row is refused with the reason', () => {
  expect(() => bfclRow({ id: 'simple_0' })).toThrow('no question that is a list of turns')
  expect(() => bfclRow(entry('simple_0', documented('go', { far: { type: 'float' } })))).toThrow('a float has no description')
  const turns = { id: 'multi_turn_base_0', question: [[]], involved_classes: ['MathAPI'] }
  expect(() => bfclRow(turns)).toThrow('its turns call functions of MathAPI')
})

test('functions that are withheld until a later turn are not tools of the first', () => {
  const turns = { id: 'multi_turn_miss_func_0', question: [[], []], involved_classes: ['MathAPI'], missed_function: { '1': ['add'] } }
  const row = bfclRow(turns, () => [documented('add', {}), documented('take', {})])
  expect(toolOf(row)).toContain('"take"')
  expect((dictGet(row, 'tools') as PyValue[]).length).toBe(1)
  expect(stringifyJson(dictGet(row, 'missed_tools')!)).toContain('"add", "description": "Do it.",')
})

test('the file of each class', () => {
  expect(['GorillaFileSystem', 'MathAPI', 'TravelAPI', 'TradingBot'].map(classFile)).toEqual([
    'gorilla_file_system.json',
    'math_api.json',
    'travel_booking.json',
    'trading_bot.json',
  ])
})
