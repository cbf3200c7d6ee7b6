import { expect, test } from 'vitest'
import { chatTurns } from './chat-turns.ts'

const chat = (roles: string) =>
  [...roles].map((one, place) => ({ role: { s: 'system', u: 'user', a: 'assistant' }[one]!, content: `${place}` }))
const shown = (roles: string, answers: number) =>
  chatTurns(chat(roles), answers)?.map((turn) =>
    'answer' in turn ? turn.answer + 1 : `${turn.message.role[0]}${turn.isExpected ? '!' : ''}`,
  )

test('each answer of the model follows its question; assistant messages of the dataset are what was expected', () => {
  expect(shown('suaua', 2)).toEqual(['s', 'u', 1, 'a!', 'u', 2, 'a!'])
  expect(shown('uau', 2)).toEqual(['u', 1, 'a!', 'u', 2])
  expect(shown('uuau', 2)).toEqual(['u', 'u', 1, 'a!', 'u', 2])
})

test('one answer is the last turn; other numbers of answers cannot be placed', () => {
  expect(shown('uau', 1)).toEqual(['u', 'a', 'u', 1])
  expect(shown('uau', 3)).toBeUndefined()
  expect(shown('sa', 1)).toBeUndefined()
})
