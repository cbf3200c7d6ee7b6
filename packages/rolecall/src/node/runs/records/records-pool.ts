import { Records } from './records.ts'

/** Each open file needs a descriptor, a block, and 40 bytes per row. */
const mostOpen = 64

/** Records of which only the most recently used have open files: a folder may have thousands of pairs. */
export class RecordsPool {
  readonly #most: number
  /** The least recently used first. */
  readonly #open = new Set<Records>()

  constructor(most = mostOpen) {
    this.#most = most
  }

  /** Opens a file; it is closed when many others are used, and opened again when rows are read. Rows from number `end` on are not read. */
  open(file: string, end?: number): Records {
    return new Records(file, this.#opened, end)
  }

  /** Marks records as used. */
  use(records: Records): Records {
    if (this.#open.delete(records)) this.#open.add(records)
    return records
  }

  readonly #opened = (records: Records): void => {
    this.#open.add(records)
    for (const oldest of this.#open) {
      if (this.#open.size <= this.#most) return
      this.#open.delete(oldest)
      oldest.rest()
    }
  }
}
