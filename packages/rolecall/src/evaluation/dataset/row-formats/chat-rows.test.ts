import { expect, test } from 'vitest'
import { messages } from './chat-rows.ts'

test('the calls of the last answer are a separate column', () => {
  const asked = { role: 'user', content: 'Time in Rome?' }
  const calls = [{ id: 'a', type: 'function', function: { name: 'get_time', arguments: '{"city": "Rome"}' } }]
  expect(messages.read({ messages: [asked, { role: 'assistant', content: null, tool_calls: calls }] })).toEqual({
    messages: [asked],
    answer: '',
    calls,
  })
  expect(messages.read({ messages: [asked, { role: 'assistant', content: '10:05' }] })).toEqual({ messages: [asked], answer: '10:05' })
})
