import type { Note } from '../../../base/errors/note.ts'
import type { PairResult } from './run-record.ts'

type Counted = PairResult['notes'][number]

/** Notes about single rows may all differ; these are enough to see what is wrong. */
const mostShown = 100
const mostKept = 1000

/** How many rows each note is about, those of the first rows first, in whatever order rows come. */
export class NoteCounts {
  readonly #counts = new Map<string, Counted & { first: number }>()

  add(id: number, notes: readonly Note[]): void {
    if (notes.length === 0) return
    const seen = new Set<string>()
    for (const { code, text } of notes) {
      if (seen.has(text)) continue
      seen.add(text)
      const known = this.#counts.get(text)
      if (known) {
        known.rows++
        known.first = Math.min(known.first, id)
      } else if (this.#counts.size < mostKept) this.#counts.set(text, { code, text, rows: 1, first: id })
    }
  }

  /** A note that was counted elsewhere. */
  set({ code, text }: Note, rows: number): void {
    if (rows > 0) this.#counts.set(text, { code, text, rows, first: Number.POSITIVE_INFINITY })
  }

  list(): Counted[] {
    const sorted = [...this.#counts.values()].sort((one, other) => one.first - other.first || 0)
    return sorted.slice(0, mostShown).map(({ code, text, rows }) => ({ code, text, rows }))
  }
}
