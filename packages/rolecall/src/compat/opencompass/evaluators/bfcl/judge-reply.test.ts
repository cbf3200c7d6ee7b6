import { describe, expect, test } from 'vitest'
import { type PyValue, parseJson, pyFloat } from '../../../../../../core/src/base/python/index.ts'
import { judgeReply, type ToolQuestion } from './judge-reply.ts'

const parameters = {
  type: 'dict',
  properties: {
    city: { type: 'string', description: 'Where.' },
    days: { type: 'integer', description: 'How long.' },
    warmth: { type: 'float', description: 'How warm.' },
    tags: { type: 'array', items: { type: 'string' }, description: 'What for.' },
    options: { type: 'dict', description: 'More.' },
  },
  required: ['city'],
}
const functions = [
  { name: 'trip.plan', description: 'Plan a trip.', parameters },
  { name: 'stop', description: 'Stop.', parameters: { type: 'dict', properties: {}, required: [] } },
]
const plan = (allowed: Record<string, PyValue>) => ({ 'trip.plan': { city: ['Rome'], ...allowed } })
const call = (given: Record<string, PyValue>) => ({ name: 'trip.plan', arguments: { city: 'Rome', ...given } })

function judge(question: Partial<ToolQuestion>): string {
  const asked = { category: 'simple_python', functions, answers: [plan({})], calls: [call({})], text: '', hasUnderscores: false }
  const verdict = judgeReply({ ...asked, ...question })
  return verdict.isValid ? 'right' : verdict.error
}
const one = (given: Record<string, PyValue>, allowed: Record<string, PyValue>) => judge({ calls: [call(given)], answers: [plan(allowed)] })

describe('one call', () => {
  test('must have the right name, all required parameters and no unexpected ones', () => {
    expect(one({}, {})).toBe('right')
    expect(judge({ calls: [{ name: 'trip_plan', arguments: { city: 'Rome' } }] })).toBe('simple_function_checker:wrong_func_name')
    expect(judge({ calls: [{ name: 'trip_plan', arguments: { city: 'Rome' } }], hasUnderscores: true })).toBe('right')
    expect(judge({ calls: [{ name: 'trip.plan', arguments: {} }] })).toBe('simple_function_checker:missing_required')
    expect(one({ days: 3 }, {})).toBe('simple_function_checker:unexpected_param')
    expect(one({}, { days: [3] })).toBe('simple_function_checker:missing_optional')
    expect(one({}, { days: [3, ''] })).toBe('right')
  })

  test('has values of the documented types', () => {
    expect(one({ days: '3' }, { days: [3] })).toBe('type_error:simple')
    expect(one({ days: pyFloat(3) }, { days: [3] })).toBe('type_error:simple')
    expect(one({ days: true }, { days: [1] })).toBe('type_error:simple')
    expect(one({ warmth: 20 }, { warmth: [pyFloat(20)] })).toBe('right')
    expect(one({ tags: ['a', 1] }, { tags: [['a', 'b']] })).toBe('type_error:nested')
  })

  test('has one of the allowed values; texts are compared ignoring case and light punctuation', () => {
    expect(one({ city: 'ROME.' }, {})).toBe('right')
    expect(one({ city: 'Paris' }, {})).toBe('value_error:string')
    expect(one({ days: 4 }, { days: [3, 5] })).toBe('value_error:others')
    expect(one({ tags: ['Sea-side'] }, { tags: [['seaside']] })).toBe('right')
    expect(one({ tags: ['b', 'a'] }, { tags: [['a', 'b']] })).toBe('value_error:list/tuple')
    expect(one({ options: { by: 'Train' } }, { options: [{ by: ['train', 'bus'], meal: [''] }] })).toBe('right')
    expect(one({ options: { by: 'plane' } }, { options: [{ by: ['train'] }] })).toBe('value_error:dict_value')
    expect(one({ options: { via: 'Pisa' } }, { options: [{ by: ['train'] }] })).toBe('value_error:dict_key')
  })
})

describe('several calls', () => {
  const answers = [plan({ days: [1] }), plan({ days: [2] })]
  const first = call({ days: 1 })
  const second = call({ days: 2 })

  test('are compared in any order', () => {
    expect(judge({ category: 'parallel', answers, calls: [second, first] })).toBe('right')
    expect(judge({ category: 'parallel', answers, calls: [first] })).toBe('parallel_function_checker_no_order:wrong_count')
    expect(judge({ category: 'parallel', answers, calls: [first, first] })).toBe('parallel_function_checker_no_order:cannot_find_match')
  })

  test('report why each unmatched call does not fit', () => {
    const verdict = judgeReply({
      category: 'parallel',
      functions,
      answers,
      calls: [first, call({ days: 'two' })],
      text: '',
      hasUnderscores: false,
    })
    expect(verdict).toMatchObject({ others: ['type_error:simple'], problem: expect.stringContaining('days: its value has another type') })
  })

  test('if one of several functions should be called, only the first call counts', () => {
    expect(judge({ category: 'multiple', answers: [{ stop: {} }], calls: [{ name: 'stop', arguments: {} }] })).toBe('right')
    expect(judge({ category: 'multiple', answers, calls: [first] })).toBe('multiple_function_checker:wrong_count')
    expect(judge({ category: 'multiple', answers, calls: [first, first] })).toBe('right')
    expect(judge({ calls: [first, second] })).toBe('simple_function_checker:wrong_count')
  })
})

describe('no call', () => {
  test('is right if no function applies, and wrong if one does', () => {
    expect(judge({ category: 'irrelevance', calls: [], text: 'I cannot.' })).toBe('right')
    expect(judge({ category: 'live_irrelevance' })).toBe('irrelevance_error:decoder_success')
    expect(judge({ category: 'live_relevance' })).toBe('right')
    expect(judge({ category: 'live_relevance', calls: [], text: 'No.' })).toBe('relevance_error:decoder_failed')
  })

  test('an unparsable call does not count as a call', () => {
    const broken = { malformed: '{"city": ', problem: 'no JSON' }
    expect(judge({ calls: [broken] })).toBe('ast_decoder:decoder_failed')
    expect(judge({ calls: [{ malformed: '[1]', problem: 'no object' }] })).toBe('ast_decoder:decoder_wrong_output_format')
    expect(judge({ category: 'irrelevance', calls: [call({}), broken] })).toBe('right')
    expect(judge({ calls: [], text: 'Rome is nice.' })).toBe('ast_decoder:decoder_failed')
  })
})

test('documentation that stops the leaderboard is an error that names its location', () => {
  const documented = parseJson(
    '[{"name":"go","parameters":{"type":"dict","properties":{"to":{"type":"place"}},"required":[]}}]',
  ) as PyValue[]
  const question = { functions: documented, answers: [{ go: { to: ['x'] } }], calls: [{ name: 'go', arguments: { to: 'x' } }] }
  expect(() => judge(question)).toThrow('functions › go.to: its type "place" is not known')
  expect(() => judge({ answers: [] })).toThrow('there is no answer')
})
