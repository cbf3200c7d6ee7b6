import { expect, test } from 'vitest'
import { distinctNotes } from './note.ts'

test('duplicate notes are kept once, at the first position', () => {
  const [a, b] = [
    { code: 'a', text: 'x', where: 'p' },
    { code: 'b', text: 'y' },
  ]
  expect(distinctNotes([a, b, { ...a }, b])).toEqual([a, b])
})

test('notes that differ in code, path or text are all kept', () => {
  const notes = [
    { code: 'a', text: 'x' },
    { code: 'b', text: 'x' },
    { code: 'a', text: 'y' },
    { code: 'a', text: 'x', where: 'p' },
  ]
  expect(distinctNotes(notes)).toEqual(notes)
})
