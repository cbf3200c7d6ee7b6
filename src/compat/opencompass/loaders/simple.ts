import { joinPath } from './files.ts'
import type { Loader, Settings } from './loader.ts'
import type { Data, JsonLinesOptions } from './loader-data.ts'
import type { Dict } from './row-values.ts'
import { fromList, type Splits, type Table } from './table.ts'

/** What is done to a row: it is changed, or another takes its place; several or none where a list is given. */
export type RowChange = (row: Dict, index: number, settings: Settings) => Dict | readonly Dict[] | undefined

/** Which of Python's ways a loader reads its rows. */
type Reading = JsonLinesOptions & {
  /** `lines`: an object on each line; `list`: one list of objects. */
  as?: 'lines' | 'list'
}

/** The rows of a file of JSON objects, each changed. */
export async function jsonRows(data: Data, path: string, settings: Settings, change?: RowChange, reading: Reading = {}): Promise<Table> {
  const { as = 'lines', ...options } = reading
  const rows = as === 'lines' ? await data.rows(path, options) : await data.list(path, options)
  return fromList(changed(rows, settings, change))
}

export function changed(rows: readonly Dict[], settings: Settings, change: RowChange | undefined): Dict[] {
  if (!change) return [...rows]
  return rows.flatMap((row, index) => {
    const result = change(row, index, settings)
    return result === undefined ? [row] : Array.isArray(result) ? result : [result as Dict]
  })
}

type SimpleOptions = Reading & {
  change?: RowChange
  takes?: readonly string[]
  reads?: string
  /** The mapping of ids is not asked. */
  localMode?: boolean
}

/** A loader of one file of JSON objects at `path`, whose rows are train and test at once. */
export function oneFile({ change, takes = ['path'], reads, localMode = false, ...reading }: SimpleOptions = {}): Loader {
  return {
    reads: reads ?? (reading.as === 'list' ? 'a .json file with a list of objects' : 'a .jsonl file'),
    takes,
    load: async (data, settings) => jsonRows(data, await data.path(settings.path, { localMode }), settings, change, reading),
  }
}

/** A loader of a folder with a file for each split. `{name}` in a file's name is the setting of that name. */
export function splitFiles(
  files: Readonly<Record<string, string>>,
  { change, takes = ['path'], reads, localMode = false, ...reading }: SimpleOptions = {},
): Loader {
  return {
    reads: reads ?? `a folder with ${Object.values(files).join(', ')}`,
    takes,
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode })
      const splits: Record<string, Table> = {}
      for (const [split, file] of Object.entries(files))
        splits[split] = await jsonRows(data, joinPath(path, named(file, settings)), settings, change, reading)
      return splits as Splits
    },
  }
}

/** `{name}` filled in. */
export function named(file: string, settings: Settings): string {
  return file.replace(/\{(\w+)\}/g, (_, name: string) => settings.text(name))
}
