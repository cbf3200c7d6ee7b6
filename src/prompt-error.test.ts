import { expect, test } from 'vitest'
import { PromptError } from './prompt-error.ts'

test('the message says where, what and the fix', () => {
  const error = new PromptError('unknown-role', {
    where: 'template.begin[0].role',
    problem: 'role "X" is not known',
    fix: 'use one of: A, B',
  })
  expect(error.message).toBe('template.begin[0].role: role "X" is not known. Use one of: A, B.')
  expect(error).toMatchObject({ name: 'PromptError', code: 'unknown-role', where: 'template.begin[0].role', fix: 'use one of: A, B' })
  expect(error).toBeInstanceOf(Error)
})
