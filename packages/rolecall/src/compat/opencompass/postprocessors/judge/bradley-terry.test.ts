import { expect, test } from 'vitest'
import type { PyValue } from '../../../../../../core/src/base/python/index.ts'
import { alpacaMatches, arenaHardMatches, compassArenaMatches, styleOf, wildBenchMatches } from './bradley-terry.ts'

const gold = { answer1: 'base', answer2: 'mine', prediction1: '# a\n1. b', prediction2: '__b__', primary_tag: 'Math', secondary_tag: [] }
const judged = (said: string, more: Record<string, PyValue> = {}) => ({ said, gold: { ...gold, ...more }, row: {}, index: 0 })

test('verdicts', () => {
  expect(alpacaMatches.read(judged('m'), {})?.winner).toBe('model_a')
  expect(alpacaMatches.read(judged('M', { answer1: 'mine', answer2: 'base', base_models: 'base' }), {})?.winner).toBe('model_a')
  expect(alpacaMatches.read(judged('neither'), {})).toBeUndefined()
  expect(arenaHardMatches.read(judged('so [[B>>A]]'), {})?.winner).toBe('model_b')
  expect(arenaHardMatches.read(judged('[[>]]'), {})).toBeUndefined()
  expect(compassArenaMatches.read(judged('选择：C'), { count_ties: true })?.winner).toBe('tie')
  expect(compassArenaMatches.read(judged('选择：C'), { count_ties: false })).toBeUndefined()
  expect(wildBenchMatches.read(judged('"choice": "B+"'), {})).toMatchObject({ winner: 'model_b', columns: { secondary_tag: 'Others' } })
})

test('a match needs both answers; chats are the words of the assistant', () => {
  expect(() => arenaHardMatches.read(judged('[[A>B]]', { prediction1: null }), {})).toThrow('keep_predictions=True')
  const chat: PyValue = [
    { role: 'user', user: 'q' },
    { role: 'assistant', assistant: 'a' },
  ]
  expect(arenaHardMatches.read(judged('[[A>B]]', { prediction1: chat }), {})?.predictions[0]).toBe('a')
})

test('style is counted outside of code', () => {
  expect(styleOf('# a\n\n- b\n**c**\n```\n# d\n```', '_a')).toEqual({
    header_count_a: { h1: 1, h2: 0, h3: 0, h4: 0, h5: 0, h6: 0 },
    list_count_a: { ordered: 0, unordered: 1 },
    bold_count_a: { double_star: 1, double_underscore: 0 },
  })
})
