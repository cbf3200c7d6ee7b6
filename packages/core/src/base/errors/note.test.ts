import { expect, test } from 'vitest'
import { distinctNotes, type Note } from './note.ts'
import type { NoteRow } from './note-table.ts'

test('duplicate notes are kept once, at the first position', () => {
  const notes: [Note, Note] = [
    { code: 'clock', text: 'x', where: 'p' },
    { code: 'no-bos', text: 'y' },
  ]
  const [a, b] = notes
  expect(distinctNotes([a, b, { ...a }, b])).toEqual([a, b])
})

test('notes that differ in code, path or text are all kept', () => {
  const notes: Note[] = [
    { code: 'clock', text: 'x' },
    { code: 'no-bos', text: 'x' },
    { code: 'clock', text: 'y' },
    { code: 'clock', text: 'x', where: 'p' },
  ]
  expect(distinctNotes(notes)).toEqual(notes)
})

test('a note with a code without a row, and a row without Chinese, do not compile', () => {
  // @ts-expect-error: no table has this code.
  const unknown: Note = { code: 'no-such-note', text: 'x' }
  // @ts-expect-error: of notes on judges' prompts, neither.
  const judged: Note = { code: 'judge-no-such-note', text: 'x' }
  // @ts-expect-error: it has no zh.
  const untranslated: NoteRow = { severity: 'note', en: 'x' }
  expect([unknown, judged, untranslated]).toHaveLength(3)
})
