import type { JsonFields } from './foreign-values.ts'

/** A block may be this many rows ahead of the others. */
const mostAhead = 1000

/**
 * Reads blocks of the same rows side by side: several filters, evaluations or epochs, each with a line per row. A row that a block lacks
 * does not shift the rest; `onFar` is called for a line that stands too far from the others of its row.
 */
export function* sideBySide(
  blocks: readonly Iterable<JsonFields>[],
  idOf: (fields: JsonFields) => unknown,
  onFar: (id: unknown, block: number) => void,
): Generator<(JsonFields | undefined)[]> {
  const readers = blocks.map((block) => new BlockReader(block, idOf))
  for (const [leader, reader] of readers.entries()) {
    for (let fields = reader.next(); fields !== undefined; fields = reader.next()) {
      const id = idOf(fields)
      if (reader.missed.has(id)) onFar(id, leader)
      else yield readers.map((other, block) => (block === leader ? fields : block < leader ? undefined : other.find(id, onFar, block)))
    }
  }
}

class BlockReader {
  /** Rows that were given without this block. */
  readonly missed = new Set<unknown>()
  readonly #lines: Iterator<JsonFields>
  readonly #idOf: (fields: JsonFields) => unknown
  /** Lines that were read before their turn; ids may repeat. */
  readonly #ahead = new Map<unknown, JsonFields[]>()
  #isDone = false

  constructor(lines: Iterable<JsonFields>, idOf: (fields: JsonFields) => unknown) {
    this.#lines = lines[Symbol.iterator]()
    this.#idOf = idOf
  }

  next(): JsonFields | undefined {
    const [first] = this.#ahead.keys()
    return this.#ahead.size > 0 ? this.#take(first) : this.#read()
  }

  find(id: unknown, onFar: (id: unknown, block: number) => void, block: number): JsonFields | undefined {
    while (!this.#ahead.has(id) && this.#ahead.size < mostAhead) {
      const fields = this.#read()
      if (fields === undefined) break
      const found = this.#idOf(fields)
      if (this.missed.has(found)) onFar(found, block)
      else this.#ahead.set(found, [...(this.#ahead.get(found) ?? []), fields])
    }
    const fields = this.#take(id)
    if (fields === undefined && !this.#isDone) this.missed.add(id)
    return fields
  }

  #read(): JsonFields | undefined {
    const { value, done } = this.#lines.next()
    this.#isDone = done === true
    return done ? undefined : value
  }

  #take(id: unknown): JsonFields | undefined {
    const [fields, ...more] = this.#ahead.get(id) ?? []
    if (more.length > 0) this.#ahead.set(id, more)
    else this.#ahead.delete(id)
    return fields
  }
}
