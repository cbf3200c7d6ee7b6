import type { Row } from '@rolecall/core/internal/conversation'
import { dictEntries, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import type { Chunks } from '../../evaluation/dataset/chunks.ts'

/** Characters of rows that are kept, of all datasets together. */
const mostCharacters = 1 << 24

/** The overhead of a value, in characters. */
const perValue = 16

/**
 * Keeps the rows of small datasets in memory: a run reads them several times, to examine them and for each model, and parsing takes
 * longer than rendering. Rows of larger datasets are read from disk each time, so that memory does not grow with them.
 */
export class RowMemory {
  readonly #kept = new Map<object, readonly (readonly Row[])[]>()
  #left: number

  constructor(characters = mostCharacters) {
    this.#left = characters
  }

  /** The rows of a dataset, if they were kept. */
  of(dataset: object): Chunks<Row> | undefined {
    const chunks = this.#kept.get(dataset)
    return chunks && again(chunks)
  }

  /** Passes the rows of a dataset on. If all of them are read and they fit, they are kept. */
  async *keep(dataset: object, rows: Chunks<Row>): AsyncGenerator<Iterable<Row>> {
    const chunks: (readonly Row[])[] = []
    let size = 0
    for await (const chunk of rows) {
      if (size > this.#left) {
        yield chunk
        continue
      }
      const some = [...chunk]
      for (const row of some) size += sizeOf(row)
      if (size <= this.#left) chunks.push(some)
      else chunks.length = 0
      yield some
    }
    if (size > this.#left) return
    this.#left -= size
    this.#kept.set(dataset, chunks)
  }
}

async function* again(chunks: readonly (readonly Row[])[]): AsyncGenerator<Iterable<Row>> {
  yield* chunks
}

function sizeOf(value: PyValue): number {
  let size = perValue
  if (typeof value === 'string') size += value.length
  else if (isList(value)) for (const one of value) size += sizeOf(one)
  else if (isDict(value)) for (const [, one] of dictEntries(value)) size += sizeOf(one)
  return size
}
