import type { CoreNotes } from './core-notes.ts'

/** The notes of upper storeys: each table adds its rows to this interface, so that nothing below knows them. */
// biome-ignore lint/suspicious/noEmptyInterface: tables above extend it
export interface NotesAbove {}

/** The code of a row in the table of a storey. */
export type OwnNoteCode = keyof CoreNotes | keyof NotesAbove

/** The code of a note; notes on the prompt of a judge have a prefix. */
export type NoteCode = OwnNoteCode | `judge-${OwnNoteCode}`

/**
 * Information for readers of a rendered prompt: a fallback that was used, examples that were dropped, a turn without content. Notes are
 * part of the prompt, and `render` and the report show them.
 */
export type Note = {
  /** For programs, kebab-case, e.g. `fallback-role`. docs/notes.md lists all. */
  code: NoteCode
  /** For people, one sentence. */
  text: string
  /** The path in the config. */
  where?: string
}

/** The notes without duplicates, in order: a note concerns the config, so once is enough. */
export function distinctNotes(notes: readonly Note[]): Note[] {
  if (notes.length < 2) return [...notes]
  const seen = new Set<string>()
  return notes.filter((note) => {
    const key = `${note.code}\u0000${note.where ?? ''}\u0000${note.text}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
