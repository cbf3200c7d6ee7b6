import { expect, test } from 'vitest'
import { fields } from './fields.ts'

const schema = { type: 'object', required: ['city'] }
const { judge, summarise } = fields.with({ schema }, undefined as never, undefined, undefined as never)
const rowOf = (prediction: string) => judge({ prediction, reference: { city: 'Rome', people: 3, capital: true }, row: {} })

test('fields are compared one by one, and differing ones are named', () => {
  const answers = [
    '{"city": "Rome", "people": 3.0, "capital": true, "more": 1}',
    '{"city": "Oslo", "people": 3, "capital": 1}',
    '{"people": 3}',
    'Rome',
  ]
  const judged = answers.map(rowOf)
  expect(judged.map(({ score, detail }) => [score, detail.valid, detail.reason])).toEqual([
    [1, true, undefined],
    [0, true, 'city is Oslo, expected Rome; capital is 1, expected True'],
    [0, false, 'city is missing; capital is missing'],
    [0, false, 'the answer is not a JSON object'],
  ])
  expect(summarise!(judged.map(({ keep }) => keep!))).toEqual({ accuracy: 25, field_accuracy: (100 * 5) / 12, valid: 50 })
})

test('a compared field may be absent if it is absent from both', () => {
  const { judge } = fields.with({ fields: ['city', 'mayor'] }, undefined as never, undefined, undefined as never)
  const scoreOf = (prediction: string) => judge({ prediction, reference: { city: 'Rome' }, row: {} }).score
  expect(scoreOf('{"city": "Rome"}')).toBe(1)
  expect(scoreOf('{"city": "Rome", "mayor": "Ada"}')).toBe(0)
})

test('an expected answer without fields is an error of the row, not a wrong answer', () => {
  expect(() => judge({ prediction: '{"city": "Rome"}', reference: 'Rome', row: {} })).toThrow(/"Rome" is not a JSON object/)
})
