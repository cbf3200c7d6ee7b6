import { expect, test } from 'vitest'
import type { RowRecord } from './run-record.ts'
import { WrongCalls } from './wrong-calls.ts'

const record = (details: RowRecord['details']) => ({ details }) as RowRecord

test('reasons of wrong calls are counted, most frequent first; a rule takes precedence over the message', () => {
  const wrong = new WrongCalls()
  expect(wrong.result).toEqual({})
  wrong.add(record({ reason: 'it calls nothing' }))
  for (const reason of ['a is missing', 'b is missing']) wrong.add(record({ error: 'missing_required', reason }))
  wrong.add(record({ correct: true }))
  expect(wrong.result).toEqual({
    wrongCalls: [
      { reason: 'missing_required', rows: 2 },
      { reason: 'it calls nothing', rows: 1 },
    ],
  })
})
