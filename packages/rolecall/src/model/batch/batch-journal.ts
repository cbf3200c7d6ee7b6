/** What is remembered about batches beyond the life of this process, in order. */
export type BatchEntry =
  /** A batch is about to be submitted: if the process is killed now, it may exist without a known id. */
  | { kind: 'submitting'; mark: string; ids: readonly string[]; at: number }
  | { kind: 'submitted'; mark: string; batch: string }
  /** Results that are recorded as answers, or that will never come. */
  | { kind: 'done'; ids: readonly string[] }

/** Where entries are kept. */
export type BatchJournal = {
  entries: readonly BatchEntry[]
  /** Returns when the entry is on disk. */
  add(entry: BatchEntry): void
  /** A result was passed on. It is done when all that follows from it is recorded, which the owner of the journal knows. */
  use?(id: string): void
}

/** A journal that ends with its process. */
export function memoryJournal(): BatchJournal {
  return { entries: [], add: () => undefined }
}

/** A batch that was submitted, or may have been. */
export type KnownBatch = { mark: string; at: number; size: number; ids: readonly string[]; batch: string | undefined }

/** The requests whose results are outstanding, by their ids. */
export class Outstanding {
  readonly #journal: BatchJournal
  readonly #batchOf = new Map<string, KnownBatch>()
  /** The next number of each request. */
  readonly #next = new Map<string, number>()
  readonly batches = new Map<string, KnownBatch>()

  constructor(journal: BatchJournal) {
    this.#journal = journal
    for (const entry of journal.entries) this.#apply(entry)
  }

  submitting(mark: string, ids: readonly string[], at: number): void {
    this.#add({ kind: 'submitting', mark, ids, at })
  }

  submitted(mark: string, batch: string): void {
    this.#add({ kind: 'submitted', mark, batch })
  }

  done(ids: readonly string[]): void {
    if (ids.length > 0) this.#add({ kind: 'done', ids })
  }

  used(id: string): void {
    this.#journal.use?.(id)
  }

  /** The id of a request with this hash, and the batch that it is in already; equal requests have different numbers. */
  take(hash: string, isTaken: (id: string) => boolean): { id: string; known: KnownBatch | undefined } {
    const next = this.#next.get(hash) ?? 0
    for (let number = 0; number < next; number++) {
      const id = `${hash}-${number}`
      const known = this.#batchOf.get(id)
      if (known && !isTaken(id)) return { id, known }
    }
    this.#next.set(hash, next + 1)
    return { id: `${hash}-${next}`, known: undefined }
  }

  #add(entry: BatchEntry): void {
    this.#journal.add(entry)
    this.#apply(entry)
  }

  #apply(entry: BatchEntry): void {
    if (entry.kind === 'submitting') {
      const known = { mark: entry.mark, at: entry.at, size: entry.ids.length, ids: entry.ids, batch: undefined }
      this.batches.set(entry.mark, known)
      for (const id of entry.ids) {
        const [hash = '', number = '0'] = id.split('-')
        this.#batchOf.set(id, known)
        this.#next.set(hash, Math.max(this.#next.get(hash) ?? 0, Number(number) + 1))
      }
    } else if (entry.kind === 'submitted') {
      const known = this.batches.get(entry.mark)
      if (known) known.batch = entry.batch
    } else for (const id of entry.ids) this.#batchOf.delete(id)
  }
}
