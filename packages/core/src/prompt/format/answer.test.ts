import { expect, test } from 'vitest'
import { plain } from '../../base/text/index.ts'
import { markedAnswer } from './answer.ts'

const piece = plain('x', { by: 'field', path: 'q' })
const marked = { ...piece, answer: true as const }

test('the answer spans the first to the last marked piece', () => {
  expect(markedAnswer([piece, marked, piece, marked, piece])).toEqual({ start: 1, end: 4 })
  expect(markedAnswer([marked])).toEqual({ start: 0, end: 1 })
})

test('without marked pieces there is no answer', () => {
  expect(markedAnswer([piece])).toBeUndefined()
  expect(markedAnswer([])).toBeUndefined()
})
