import { dictEntries, type PyDict, type PyValue } from '../../../base/python/index.ts'
import { BadData } from './bad-data.ts'
import type { Data } from './loader-data.ts'
import type { Splits, Table } from './table.ts'

/** What a loader gives: split → rows, or rows that are train and test at once. */
export type Loaded = Splits | Table

/** One dataset class of OpenCompass: which files it reads, and the rows it makes of them. */
export type Loader = {
  /** What must lie at `path`, for the docs and for the error where nothing does. */
  reads: string
  /**
   * The settings it takes from the dataset's config, those with `?` may be left out; `*` stands for any others, which it
   * ignores. One that it does not take is an error.
   */
  takes: readonly string[]
  load(data: Data, settings: Settings): Promise<Loaded>
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

  /** A setting that is a text; `path` is the usual one. */
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

/** Python's complaint about keyword arguments, before anything is read. */
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
