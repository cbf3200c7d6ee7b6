import { pyRepr } from '@rolecall/core/internal/python'
import { joinPath } from './files.ts'
import type { HubRows } from './hub-rows.ts'
import type { Loader, Settings } from './loader.ts'
import type { Data, JsonLinesOptions } from './loader-data.ts'
import type { RowDict } from './row-values.ts'
import { fromList, type Splits, type Table } from './table.ts'

/** Maps a row: modifies it, or returns a replacement; a list may contain any number of rows. */
export type RowChange = (row: RowDict, index: number, settings: Settings) => RowDict | readonly RowDict[] | undefined

/** Which of Python's ways to read rows a loader uses. */
type Reading = JsonLinesOptions & {
  /** `lines`: JSONL; `list`: one list of objects. */
  as?: 'lines' | 'list'
}

/** The rows of a file of JSON objects, mapped. */
export async function jsonRows(data: Data, path: string, settings: Settings, change?: RowChange, reading: Reading = {}): Promise<Table> {
  const { as = 'lines', ...options } = reading
  const rows = as === 'lines' ? await data.rows(path, options) : await data.list(path, options)
  return fromList(changed(rows, settings, change))
}

export function changed(rows: readonly RowDict[], settings: Settings, change: RowChange | undefined): RowDict[] {
  if (!change) return [...rows]
  return rows.flatMap((row, index) => {
    const result = change(row, index, settings)
    return result === undefined ? [row] : Array.isArray(result) ? result : [result as RowDict]
  })
}

/** Where the rows of a class are on a hub. */
type HubPart = {
  /** The config of the repository: a name, or the one that the settings give. */
  subset?: string | ((settings: Settings) => string)
  /** The rows there in the shape of those in the files. */
  shape?: (row: RowDict) => RowDict
}

function subsetOf({ subset }: HubPart, settings: Settings): string | undefined {
  return typeof subset === 'function' ? subset(settings) : subset
}

/** The changed rows of a split on a hub. */
async function hubTable(rows: HubRows, split: string, part: HubPart, settings: Settings, change?: RowChange): Promise<Table> {
  const found = await rows.rows(split, subsetOf(part, settings))
  return fromList(changed(part.shape ? found.map(part.shape) : found, settings, change))
}

type SimpleOptions = Reading & {
  change?: RowChange
  takes?: readonly string[]
  reads?: string
  /** Skips the id table. */
  localMode?: boolean
  /** The file, if `path` is a folder. `{name}` in it is the setting of that name. */
  file?: string
  /** The split with the same rows on a hub. */
  hub?: HubPart & { split: string | ((settings: Settings) => string) }
}

/** A loader for one file of JSON objects, whose rows are both train and test. */
export function oneFile({ change, takes = ['path'], reads, localMode = false, file, hub, ...reading }: SimpleOptions = {}): Loader {
  const fileOnly = reading.as === 'list' ? 'a .json file with a list of objects' : 'a .jsonl file'
  return {
    reads: reads ?? (file === undefined ? fileOnly : `a folder with ${file}`),
    takes,
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode })
      return jsonRows(data, file === undefined ? path : joinPath(path, named(file, settings)), settings, change, reading)
    },
    ...(hub === undefined
      ? {}
      : {
          hub: (rows: HubRows, settings: Settings) =>
            hubTable(rows, typeof hub.split === 'function' ? hub.split(settings) : hub.split, hub, settings, change),
        }),
  }
}

/** A loader for a folder with one file per split. `{name}` in a file name is the setting of that name. */
export function splitFiles(
  files: Readonly<Record<string, string>>,
  {
    change,
    takes = ['path'],
    reads,
    localMode = false,
    hub,
    ...reading
  }: Omit<SimpleOptions, 'file' | 'hub'> & {
    /** The splits with the same rows on a hub. */
    hub?: HubPart & { splits: Readonly<Record<string, string>> }
  } = {},
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
    ...(hub === undefined
      ? {}
      : { hub: (rows: HubRows, settings: Settings) => hubSplits(hub.splits, (split) => hubTable(rows, split, hub, settings, change)) }),
  }
}

/** Tables by split: `splits` maps each to the split on the hub. */
export async function hubSplits(splits: Readonly<Record<string, string>>, table: (split: string) => Promise<Table>): Promise<Splits> {
  const found: Record<string, Table> = {}
  for (const [split, there] of Object.entries(splits)) found[split] = await table(there)
  return found
}

/** Fills in `{name}`. */
export function named(file: string, settings: Settings): string {
  return file.replace(/\{(\w+)\}/g, (_, name: string) => settings.text(name))
}

/** How many times rows are evaluated (`num_repeats`). */
export function repeatsOf(settings: Settings): number {
  return Number(pyRepr(settings.get('num_repeats') ?? 1))
}

/** Each row `num_repeats` times consecutively. */
export function repeatedRows(rows: readonly RowDict[], settings: Settings): RowDict[] {
  return rows.flatMap((one) => Array.from({ length: repeatsOf(settings) }, () => one))
}
