import { dictEntries, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { BadData } from './bad-data.ts'
import type { HubRows } from './hub-rows.ts'
import type { Data } from './loader-data.ts'
import type { Splits, Table } from './table.ts'

/** A loader's result: split → rows, or rows that are both train and test. */
export type Loaded = Splits | Table

/** An OpenCompass dataset class: the files it reads, and the rows it returns. */
export type Loader = {
  /** The expected content of `path`, for the docs and for the error if it is missing. */
  reads: string
  /**
   * The settings it accepts from the dataset's config; those with `?` are optional; `*` means that it accepts and ignores
   * any others. Other settings are an error.
   */
  takes: readonly string[]
  load(data: Data, settings: Settings): Promise<Loaded>
  /** The same rows from a repository on a hub, for classes that OpenCompass lets read one (DATASET_SOURCE). */
  hub?(rows: HubRows, settings: Settings): Promise<Loaded>
}

/** The settings of a dataset's config that belong to its loader, as Python's keyword arguments. */
export class Settings {
  readonly #values: ReadonlyMap<string, PyValue>

  constructor(values: PyDict) {
    this.#values = new Map(dictEntries(values))
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  get(name: string): PyValue | undefined {
    return this.#values.get(name)
  }

  names(): string[] {
    return [...this.#values.keys()]
  }

  /** A text setting, usually `path`. */
  text(name: string, otherwise?: string): string {
    const value = this.#values.get(name) ?? otherwise
    if (typeof value === 'string') return value
    throw new BadData(value === undefined ? `the dataset's config has no "${name}"` : `"${name}" in the dataset's config is not a text`)
  }

  flag(name: string, otherwise = false): boolean {
    const value = this.#values.get(name)
    return value === undefined ? otherwise : value !== false && value !== null && value !== 0 && value !== ''
  }

  get path(): string {
    return this.text('path')
  }

  get name(): string {
    return this.text('name')
  }
}

/** Python's error about keyword arguments, raised before reading any file. */
export function checkSettings({ takes }: Loader, settings: Settings): void {
  const named = new Set(takes.map((name) => name.replace(/\?$/, '')))
  const lacking = takes.find((name) => !name.endsWith('?') && name !== '*' && !settings.has(name))
  if (lacking !== undefined) throw new BadData(`the dataset's config has no "${lacking}"`)
  if (named.has('*')) return
  const surplus = settings.names().find((name) => !named.has(name))
  if (surplus !== undefined) throw new BadData(`it does not take "${surplus}" (it takes: ${[...named].join(', ')})`)
}

export function isTable(loaded: Loaded): loaded is Table {
  return Array.isArray((loaded as Table).columns) && Array.isArray((loaded as Table).rows)
}
