import { expect, test } from 'vitest'
import { chatRole, otherName, templateRole } from './role-names.ts'

test('evaluation templates and chat messages have different names for one role', () => {
  expect(['HUMAN', 'BOT', 'SYSTEM', 'user', 'other'].map(chatRole)).toEqual(['user', 'assistant', 'system', 'user', 'other'])
  expect(['user', 'assistant', 'system', 'HUMAN'].map(templateRole)).toEqual(['HUMAN', 'BOT', 'SYSTEM', undefined])
  expect(['HUMAN', 'assistant', 'tool'].map(otherName)).toEqual(['user', 'BOT', undefined])
})
