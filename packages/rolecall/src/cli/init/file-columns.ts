import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { dictKeys } from '@rolecall/core/internal/python'
import type { ColumnMap } from '../../evaluation/dataset/map-columns.ts'
import { type ColumnUse, isIdName } from './column-names.ts'
import { type Column, isMissing, profileColumns } from './profile-columns.ts'

/** A column and what it is for; `note` says more. */
export type UsedColumn = Pick<Column, 'path' | 'kind'> & { use: ColumnUse; note?: string }

/** The columns of a file, with the uses found so far. */
export class FileColumns {
  readonly all: readonly Column[]
  readonly #uses = new Map<string, { use: ColumnUse; note?: string }>()
  readonly #topLevel: ReadonlySet<string>
  /** FileColumns made from values inside others. */
  readonly map: ColumnMap = {}

  constructor(rows: readonly Row[]) {
    this.#topLevel = new Set(rows.flatMap(dictKeys))
    this.all = profileColumns(rows)
  }

  /** FileColumns without a use. */
  get free(): Column[] {
    return this.all.filter(({ path }) => !this.#uses.has(path))
  }

  take(path: string, use: ColumnUse, note?: string): void {
    this.#uses.set(path, { use, ...(note === undefined ? {} : { note }) })
  }

  get uses(): UsedColumn[] {
    return this.all.map(({ path, kind, values }) => {
      const missing = values.filter(isMissing).length
      const { use, note } = this.#uses.get(path) ?? { use: isIdName(path) ? ('id' as const) : ('unused' as const) }
      const notes = [
        ...(note === undefined ? [] : [note]),
        ...(missing > 0 && use !== 'unused' ? [`missing in ${missing} of ${values.length} rows`] : []),
      ]
      return { path, kind, use, ...(notes.length > 0 ? { note: notes.join('; ') } : {}) }
    })
  }

  /** The columns that a flag names. */
  given(list: string, flag: string): Column[] {
    const whole = this.all.find(({ path }) => path === list)
    if (whole) return [whole]
    return list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => {
        const found = this.all.find(({ path }) => path === name)
        if (found) return found
        throw new PromptError('unknown-column', {
          where: flag,
          problem: `there is no column "${name}"`,
          fix: suggestName(
            name,
            this.all.map(({ path }) => path),
          ),
        })
      })
  }

  /** The name of a column in templates; a value inside an object becomes a column. */
  nameOf(path: string): string {
    if (this.#topLevel.has(path)) return path
    const last = path.slice(path.lastIndexOf('.') + 1)
    const isFree = !this.#topLevel.has(last) && (this.map[last] ?? path) === path
    const name = isFree ? last : path.replaceAll('.', '_')
    this.map[name] = path
    return name
  }
}
