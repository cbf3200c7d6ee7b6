import { expect, test } from 'vitest'
import { plain, textOf } from '../text/index.ts'
import { mergeNeighbours } from './merge-neighbours.ts'

const message = (role: string, text: string) => ({ role, content: [plain(text, { by: 'field', path: text })] })
const merge = (...messages: ReturnType<typeof message>[]) => mergeNeighbours(messages).map(({ role, content }) => [role, textOf(content)])

test('what one role says several times in a row is one message, joined by newlines', () => {
  expect(merge(message('user', 'a'), message('user', 'b'), message('user', ''), message('assistant', 'c'), message('user', 'd'))).toEqual([
    ['user', 'a\nb\n'],
    ['assistant', 'c'],
    ['user', 'd'],
  ])
})

test('the newline is the format’s, and the messages given are not changed', () => {
  const messages = [message('user', 'a'), message('user', 'b')]
  const [merged] = mergeNeighbours(messages)
  expect(merged!.content.map((piece) => piece.source)).toEqual([
    { by: 'field', path: 'a' },
    { by: 'format', path: 'merge' },
    { by: 'field', path: 'b' },
  ])
  expect(messages).toEqual([message('user', 'a'), message('user', 'b')])
})

test('no messages are none', () => {
  expect(merge()).toEqual([])
})
