import { expect, test } from 'vitest'
import { isToolError } from './tool-error.ts'
import { whoWrote } from './who-wrote.ts'

test('a prompt that was sent is told apart by who wrote it; ids that the model generated are its text', () => {
  const parts = [
    { control: '<s>' },
    { text: 'user: Say  hi.\nassistant: ' },
    { ids: [7, 8] },
    { control: '</s>' },
    { text: '\nuser: hi\ntool: {"hi": 1}\n' },
    { ids: [9] },
    { image: 'data:x' },
  ]
  const messages = [
    { role: 'user', content: 'Say  hi.' },
    { role: 'assistant', content: 'hi', token_ids: [7, 8] },
    { role: 'user', content: 'hi' },
    { role: 'tool', content: '{"hi": 1}' },
  ]
  expect(whoWrote(parts, messages, [{ ids: [7, 8], text: 'hi' }])).toEqual([
    { by: 'format', text: '<s>', isMarker: true },
    { by: 'format', text: 'user: ' },
    { by: 'user', text: 'Say  hi.' },
    { by: 'format', text: '\nassistant: ' },
    { by: 'assistant', text: 'hi' },
    { by: 'format', text: '</s>', isMarker: true },
    { by: 'format', text: '\nuser: ' },
    { by: 'user', text: 'hi' },
    { by: 'format', text: '\ntool: ' },
    { by: 'tool', text: '{"hi": 1}' },
    { by: 'format', text: '\n' },
    { by: 'assistant', ids: [9] },
    { image: 'data:x' },
  ])
  const sent = parts.flatMap((part) => ('text' in part ? part.text : 'control' in part ? part.control : []))
  const shown = whoWrote(parts, messages, []).flatMap((part) => ('text' in part ? part.text : []))
  expect(shown.join('')).toBe(sent.join(''))
})

test('errors of tools are told from what they say', () => {
  for (const error of [
    '{"error": "no such city"}',
    '{"isError": true, "content": []}',
    '{"ok": false}',
    'Error: timed out',
    'a\nTraceback (most recent call last):\n  x',
    'ValueError: bad',
  ])
    expect(isToolError(error), error).toBe(true)
  for (const result of ['{"error": null, "sum": 4}', '42', '{"errors": 0}', 'no error: all is well', '[{"error": 1}]', '{"ok": true}', ''])
    expect(isToolError(result), result).toBe(false)
})
