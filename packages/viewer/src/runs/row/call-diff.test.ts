import { expect, test } from 'vitest'
import { parseJson } from '../../../../core/src/base/python/index.ts'
import { diffCalls, diffTurns } from './call-diff.ts'

const diff = (made: string, gold: string) =>
  diffCalls(parseJson(made), parseJson(gold))?.map(({ name, expected, actual, arguments: all }) => [
    name,
    expected !== undefined,
    actual !== undefined,
    ...all.map((one) => `${one.name} ${one.expected} ${one.isSame ? '=' : '≠'} ${one.actual}`),
  ])

test('calls are matched with the expected ones by name, and their arguments with each other', () => {
  const made = '[{"name": "look", "arguments": {"city": "Oslo", "days": 2}}, {"name": "stop", "arguments": {}}]'
  const gold = '[{"name": "find", "arguments": {"q": 1}}, {"name": "look", "arguments": {"city": "Rome", "unit": "C"}}]'
  expect(diff(made, gold)).toEqual([
    ['find', true, false, 'q 1 ≠ undefined'],
    ['look', true, true, 'city "Rome" ≠ "Oslo"', 'unit "C" ≠ undefined', 'days undefined ≠ 2'],
    ['stop', false, true],
  ])
  expect(diff('[]', '[]')).toEqual([])
  // As the evaluator compares them: the order of keys and 1.0 for 1 make no difference.
  const same = (box: string) => `[{"name": "look", "arguments": {"box": ${box}}}]`
  expect(diff(same('{"a": 1, "b": 2}'), same('{"b": 2.0, "a": 1}'))).toEqual([
    ['look', true, true, 'box {"b": 2.0, "a": 1} = {"a": 1, "b": 2}'],
  ])
})

test('what is not a list of calls with arguments is not compared', () => {
  expect(diff('[{"code": "1 + 1"}]', '[]')).toBeUndefined()
  expect(diff('[]', '"look"')).toBeUndefined()
  expect(diff('[{"name": "look", "arguments": "city"}]', '[]')).toBeUndefined()
  expect(diffCalls(undefined, [])).toBeUndefined()
})

test('the calls of each turn of a chat are beside the expected ones of this turn', () => {
  const call = (name: string) => ({ name, arguments: {} })
  const turns = diffTurns([[call('look')], []], [[call('look')], [call('buy')], []])!
  expect(turns.map((turn) => turn.map(({ name, expected, actual }) => [name, expected !== undefined, actual !== undefined]))).toEqual([
    [['look', true, true]],
    [['buy', true, false]],
    [],
  ])
  expect(diffTurns([], [])).toBeUndefined()
  expect(diffTurns([call('look')], [call('look')])).toBeUndefined()
})
