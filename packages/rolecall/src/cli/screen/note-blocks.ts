import { distinctNotes, type Note } from '@rolecall/core/internal/errors'
import { noteRow } from '../../node/notes/all-notes.ts'
import type { ScreenBlock } from './blocks.ts'

/** More notes than this are left to the place that has all of them. */
const mostNotes = 2

/** The notes that matter most, each text once, then a count and where the rest is. */
export function noteBlocks(notes: readonly Note[], rest: string): ScreenBlock[] {
  const severity = ({ code }: Note) => noteRow(code)?.severity ?? 'warning'
  const texts = new Map(distinctNotes(notes).map((note) => [note.text, note]))
  const sorted = [...texts.values()].toSorted((one, other) => Number(severity(one) === 'note') - Number(severity(other) === 'note'))
  const more = sorted.length - mostNotes
  return [
    ...sorted.slice(0, mostNotes).map((note): ScreenBlock => {
      const { text, where } = note
      return { kind: 'label', label: severity(note), tone: 'attention', texts: [where ? `${text} (${where})` : text], gap: 1 }
    }),
    ...(more > 0
      ? [{ kind: 'prose' as const, text: `${more} more ${more === 1 ? 'note' : 'notes'}: ${rest}`, tone: 'quiet' as const }]
      : []),
  ]
}
