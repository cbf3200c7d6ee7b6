import { expect, test, vi } from 'vitest'
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

test('instanceof accepts errors of another copy of the library; a subclass accepts only its own', async () => {
  vi.resetModules()
  const other = await import('./prompt-error.ts')
  expect(other.PromptError).not.toBe(PromptError)
  const details = { where: 'x', problem: 'y', fix: 'z' }
  expect(new other.PromptError('code', details) instanceof PromptError).toBe(true)
  class Special extends PromptError {}
  expect(new Special('code', details) instanceof PromptError).toBe(true)
  expect(
    [new Special('code', details), new PromptError('code', details), null, 'x'].map((one) => (one as unknown) instanceof Special),
  ).toEqual([true, false, false, false])
  expect([new Error('x'), null, undefined, 'x'].some((one) => (one as unknown) instanceof PromptError)).toBe(false)
})
