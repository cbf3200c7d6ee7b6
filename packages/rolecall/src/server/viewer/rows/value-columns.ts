import type { ValueColumn } from '../viewer-data.ts'

/** Columns with more distinct values are searched instead of filtered. */
const maxValues = 60
/** Longer values are free text, not categories. */
const maxValueLength = 80

/** Collects the columns with few distinct values. */
export class ValueColumns {
  readonly #columns = new Map<string, { values: Map<string, number>; of: Map<number, number> } | 'many'>()
  readonly #always: ReadonlySet<string>
  #count = 0

  /** `always`: columns to keep, however many values they have. */
  constructor(always: readonly string[] = []) {
    this.#always = new Set(always)
  }

  /** Adds the next row; undefined for a missing row. */
  add(row: Readonly<Record<string, unknown>> | undefined): void {
    const place = this.#count++
    for (const [name, value] of Object.entries(row ?? {})) {
      const column = this.#columns.get(name) ?? { values: new Map<string, number>(), of: new Map<number, number>() }
      if (column === 'many' || value === null) continue
      this.#columns.set(name, column)
      const isKept = this.#always.has(name)
      if (!isKept && (!isPlain(value) || String(value).length > maxValueLength)) {
        this.#columns.set(name, 'many')
        continue
      }
      const text = String(value)
      let number = column.values.get(text)
      if (number === undefined) {
        number = column.values.size
        column.values.set(text, number)
      }
      column.of.set(place, number)
      if (number >= maxValues && !isKept) this.#columns.set(name, 'many')
    }
  }

  /** The columns in which some rows, but not all, share a value. */
  get(): ValueColumn[] {
    return [...this.#columns].flatMap(([name, column]) => {
      if (column === 'many') return []
      const isUseful = column.values.size < column.of.size && (column.values.size > 1 || column.of.size < this.#count)
      if (!isUseful && !this.#always.has(name)) return []
      return [
        { name, values: [...column.values.keys()], of: Array.from({ length: this.#count }, (_, place) => column.of.get(place) ?? -1) },
      ]
    })
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
