import { expect, test } from 'vitest'
import { control, plain } from '../../base/text/index.ts'
import { promptText } from './prompt-text.ts'

const source = { by: 'field', path: 'q' } as const

test('a completion is its own text', () => {
  expect(
    promptText({ kind: 'completion', pieces: [control('USER: ', source), plain('Hi', source)], bos: 'none', stop: [], notes: [] }),
  ).toBe('USER: Hi')
})

test('a chat is its messages, each with its role', () => {
  const messages = [
    { role: 'system', content: [plain('Be kind.', source)] },
    { role: 'user', content: [plain('Hi', source), plain('!', source)] },
  ]
  expect(promptText({ kind: 'chat', messages, stop: [], notes: [] })).toBe('system: Be kind.\nuser: Hi!')
})
