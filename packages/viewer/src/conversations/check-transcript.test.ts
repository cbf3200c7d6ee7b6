import { expect, test } from 'vitest'
import { PromptError } from '../../../core/src/base/errors/prompt-error.ts'
import { checkTranscript } from './check-transcript.ts'

const step = {
  prompt: { kind: 'completion', bos: 'none', parts: [{ control: '<s>' }, { text: 'a' }, { ids: [1] }] },
  reply: { text: 'b', finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 } },
}
const whole = {
  version: 1,
  model: 'm',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
  ],
  steps: [step],
}

test('files saved by chats and agents are accepted unchanged', () => {
  expect(checkTranscript(whole)).toBe(whole)
  expect(checkTranscript({ messages: [] })).toEqual({ messages: [] })
})

test.for([
  [null, 'the file'],
  [{ messages: 5 }, 'messages'],
  [{ messages: [null] }, 'messages[0]'],
  [{ messages: [{ content: 'a' }] }, 'messages[0].role'],
  [{ messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
  [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'messages[0].content'],
  [{ messages: [{ role: 'user', name: {} }] }, 'messages[0].name'],
  [{ messages: [{ role: 'assistant', tool_calls: [{}] }] }, 'messages[0].tool_calls[0]'],
  [{ messages: [{ role: 'assistant', tool_calls: {} }] }, 'messages[0].tool_calls'],
  [{ messages: [], tools: 'a' }, 'tools'],
  [{ messages: [], steps: [{ ...step, reply: {} }] }, 'steps[0].reply.text'],
  [{ messages: [], steps: [{ ...step, prompt: { kind: 'completion' } }] }, 'steps[0].prompt'],
] as const)('%j is told with its place', ([given, where]) => {
  expect(() => checkTranscript(given)).toThrow(PromptError)
  expect(() => checkTranscript(given)).toThrow(expect.objectContaining({ where }))
})
