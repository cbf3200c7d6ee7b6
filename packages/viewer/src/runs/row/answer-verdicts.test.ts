import { expect, test } from 'vitest'
import { parseJson } from '../../../../core/src/base/python/index.ts'
import type { RowRecord } from '../../../../rolecall/src/evaluation/run/record/run-record.ts'
import { answerVerdicts } from './answer-verdicts.ts'

test('each of several answers has its outcome, verdict and extracted answer', () => {
  const details = parseJson(
    '{"samples": [{"pred": "1", "correct": true}, {"pred": null, "correct": false}, "odd"]}',
  ) as RowRecord['details']
  expect(answerVerdicts({ prediction: ['1', '', ''], outcome: ['answered', 'empty', 'answered'], details })).toEqual([
    { outcome: 'answered', score: 1, reading: '1' },
    { outcome: 'empty', score: 0 },
    { outcome: 'answered' },
  ])
})

test('each turn of a chat has its verdict, and why it is wrong', () => {
  const details = parseJson('{"turns": [{"correct": true}, {"correct": false, "reason": "it calls nothing"}]}') as RowRecord['details']
  expect(answerVerdicts({ prediction: ['a', 'b'], details })).toEqual([
    { outcome: 'answered', score: 1 },
    { outcome: 'answered', score: 0, reason: 'it calls nothing' },
  ])
})

test('a row with one answer, or with replies of a chat, has no verdicts of answers', () => {
  expect(answerVerdicts({ prediction: 'one', details: parseJson('{"pred": "one"}') as RowRecord['details'] })).toEqual([])
  expect(answerVerdicts({ prediction: ['one', 'two'] })).toEqual([])
})
