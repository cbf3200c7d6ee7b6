import type { Note } from '../note.ts'
import type { PairResult, RowRecord } from './run-record.ts'

/** What a pair's result says besides what its rows add up to. */
export type TallySubject = Pick<PairResult, 'model' | 'dataset' | 'metric' | 'unit' | 'compat'>

/** Notes about single rows may all differ; these are enough to see what is wrong. */
const notesKept = 100

/** Adds up the rows of one model on one dataset. */
export class Tally {
  readonly #subject: TallySubject
  readonly #tokens = { prompt: 0, reused: 0, reply: 0 }
  readonly #notes = new Map<string, PairResult['notes'][number]>()
  #rows = 0
  #failed = 0
  #cut = 0
  #dropped = 0
  #sum = 0

  constructor(subject: TallySubject) {
    this.#subject = subject
  }

  add(record: RowRecord, notes: readonly Note[]): void {
    this.#rows++
    this.#sum += record.score ?? 0
    if (record.error !== undefined) this.#failed++
    if (record.finish === 'length') this.#cut++
    this.#dropped += record.examples.dropped
    for (const key of ['prompt', 'reused', 'reply'] as const) this.#tokens[key] += record.tokens[key]
    const said = record.error === undefined ? notes : [...notes, { code: 'failed', text: record.error }]
    for (const text of new Set(said.map((note) => note.text))) this.#note(said.find((note) => note.text === text)!)
  }

  #note({ code, text }: Note): void {
    const known = this.#notes.get(text)
    if (known) known.rows++
    else if (this.#notes.size < notesKept) this.#notes.set(text, { code, text, rows: 1 })
  }

  result(seconds: number, skipped: { count: number; notes: readonly Note[] }): PairResult {
    const isShare = this.#subject.unit === 'percent'
    // A row that could not be asked counts as wrong, and is left out of a mean.
    const judged = isShare ? this.#rows : this.#rows - this.#failed
    const mean = this.#sum / judged
    return {
      ...this.#subject,
      ...(judged > 0 ? { value: isShare ? 100 * mean : mean } : {}),
      rows: this.#rows,
      failed: this.#failed,
      skipped: skipped.count,
      tokens: this.#tokens,
      cut: this.#cut,
      examplesDropped: this.#dropped,
      seconds,
      notes: [
        ...this.#notes.values(),
        ...skipped.notes.map(({ code, text, where }) => ({ code, text: where ? `${where}: ${text}` : text, rows: 1 })),
      ],
    }
  }
}
