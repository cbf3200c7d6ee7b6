import { expect, test } from 'vitest'
import { chatRequest } from './chat/chat-request.ts'
import { messagesRequest } from './messages/messages-request.ts'
import { checkBody } from './read-body.ts'

function problem(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const chat = (body: object) => problem(() => checkBody(JSON.stringify(body), chatRequest))
const messages = (body: object) => problem(() => checkBody(JSON.stringify(body), messagesRequest))
const user = { role: 'user', content: 'Hi' }

test('what is wrong with a request is told in words, with its place and what stands there', () => {
  expect(messages({ messages: [user] })).toBe('max_tokens: it is missing')
  expect(messages({ messages: [{ role: 'robot', content: 'Hi' }], max_tokens: 1 })).toMatch(
    /^messages\[0\]\.role: it has to be "user" or "assistant".*, and is "robot"$/,
  )
  expect(chat({})).toBe('messages: it is missing')
  expect(chat({ messages: [] })).toBe('messages: it has to have at least 1 entry, and does not')
  expect(chat({ messages: 'Hi' })).toBe('messages: it has to be a list, and is "Hi"')
  expect(chat({ messages: [user], max_tokens: 'ten' })).toMatch(/^max_tokens: it has to be a .*number, and is "ten"$/)
  expect(chat({ messages: [user], max_tokens: 0 })).toMatch(/^max_tokens: it has to be (above 0|at least 1), and is 0$/)
  expect(chat({ messages: [user], response_format: { type: 'xml' } })).toBe('response_format.type: "xml" is not known here')
  expect(chat({ messages: [user], stream: 'x'.repeat(100) })).toMatch(/^stream: it has to be true or false, and is "x{59}…$/)
})
