import type { Note } from '@rolecall/core/internal/errors'
import type { PairResult, RecordedNote, RowRecord } from './run-record.ts'

type Counted = PairResult['notes'][number]

/** Notes about single rows may all differ; this many show what is wrong. */
const mostShown = 100
const mostKept = 1000

/** The notes of a row, its error included, each text once: the run counts these, and the viewer shows the rows of each. */
export function notesOfRow({ notes = [], error }: Pick<RowRecord, 'notes' | 'error'>): readonly RecordedNote[] {
  if (notes.length === 0 && error === undefined) return noNotes
  const failed: Note[] = error === undefined ? [] : [{ code: 'failed', text: error }]
  const all = [...notes, ...failed]
  return all.filter(({ text }, place) => all.findIndex((one) => one.text === text) === place)
}

const noNotes: readonly RecordedNote[] = []

/** Counts the rows of each note; sorted by first row, in whatever order rows arrive. */
export class NoteCounts {
  readonly #counts = new Map<string, Counted & { first: number }>()

  add(id: number, notes: readonly RecordedNote[]): void {
    for (const { code, text } of notes) {
      const known = this.#counts.get(text)
      if (known) {
        known.rows++
        known.first = Math.min(known.first, id)
      } else if (this.#counts.size < mostKept) this.#counts.set(text, { code, text, rows: 1, first: id })
    }
  }

  /** Adds a note that was counted elsewhere: the records of the rows do not have it. */
  set({ code, text }: Note, rows: number): void {
    if (rows > 0) this.#counts.set(text, { code, text, rows, ofPair: true, first: Number.POSITIVE_INFINITY })
  }

  list(): Counted[] {
    const sorted = [...this.#counts.values()].sort((one, other) => one.first - other.first || 0)
    return sorted.slice(0, mostShown).map(({ first: _, ...note }) => note)
  }
}
