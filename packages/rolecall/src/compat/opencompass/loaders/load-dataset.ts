import { dictFromEntries, type PyValue } from '@rolecall/core/internal/python'
import { BadData, MissingData } from './bad-data.ts'
import { joinPath } from './files.ts'
import type { Data } from './loader-data.ts'
import { csvFrame, frameTable } from './read/csv-frame.ts'
import { gunzip } from './read/gunzip.ts'
import { jsonTable } from './read/json-table.ts'
import { readParquetTable } from './read/parquet.ts'
import { concatenate, dictsOf, type Splits, type Table } from './table.ts'

const kinds: Record<string, 'json' | 'csv' | 'tsv' | 'parquet'> = {
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  csv: 'csv',
  tsv: 'tsv',
  parquet: 'parquet',
}

/** One data file as `load_dataset` reads it; by default the file name determines its format. */
export async function readTable(data: Data, path: string, kind?: 'json' | 'csv' | 'tsv' | 'parquet'): Promise<Table> {
  const plain = path.replace(/\.gz$/, '')
  const bytes = await data.bytes(path)
  const content = plain === path ? bytes : await gunzip(bytes, path)
  switch (kind ?? kinds[plain.slice(plain.lastIndexOf('.') + 1)]) {
    case 'json':
      return jsonTable(content, path)
    case 'csv':
      return frameTable(csvFrame(utf8(content, path), path))
    case 'tsv':
      return frameTable(csvFrame(utf8(content, path), path, { delimiter: '\t' }))
    case 'parquet':
      return readParquetTable(content, path)
    default:
      throw new BadData('rows are read from .json, .jsonl, .csv, .tsv and .parquet files', path)
  }
}

/** The files of `data_files`: a path, a list of paths, or split → either. */
export async function readDataFiles(data: Data, files: PyValue | undefined, kind: 'json' | 'csv' | 'parquet'): Promise<Splits> {
  if (typeof files === 'string') return { train: await readTable(data, files, kind) }
  if (Array.isArray(files)) return { train: concatenate(await inOrder(files, (path) => readTable(data, String(path), kind))) }
  if (typeof files !== 'object' || files === null) throw new BadData('data_files names no file')
  const splits: Record<string, Table> = {}
  for (const [split, paths] of Object.entries(files))
    splits[split] = concatenate(await inOrder([paths].flat(), (path) => readTable(data, String(path), kind)))
  return splits
}

async function inOrder<Item, Result>(items: readonly Item[], each: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await each(item))
  return results
}

/** One of the splits that were read, or an error that lists them. */
export function splitOf(splits: Splits, name: string): Table {
  const table = Object.hasOwn(splits, name) ? splits[name] : undefined
  if (table) return table
  throw new BadData(`there is no split "${name}" (there are: ${Object.keys(splits).join(', ')})`)
}

function utf8(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BadData('the file is not UTF-8 text', path)
  }
}

const splitNames: readonly (readonly [split: string, words: RegExp])[] = [
  ['train', /(?:^|[-._ /])(?:train|training)(?=[-._ /]|$)/],
  ['test', /(?:^|[-._ /])(?:test|testing|eval|evaluation)(?=[-._ /]|$)/],
  ['validation', /(?:^|[-._ /])(?:validation|valid|dev|val)(?=[-._ /]|$)/],
]

/**
 * `load_dataset` of a folder with the layout of a Hugging Face hub repository: with `configs:` in the header of its README,
 * or with splits inferred from file names.
 */
export async function loadFolder(data: Data, path: string, options: { name?: string | undefined } = {}): Promise<Splits> {
  const folder = await data.repository(path)
  if (!(await data.isFolder(folder))) throw new MissingData(`there is no folder ${folder}`, folder)
  const bySplit =
    (await convertedFiles(data, folder, options.name)) ??
    (await configFiles(data, folder, options.name)) ??
    (await filesBySplit(data, folder))
  const splits: Record<string, Table> = {}
  for (const [split, paths] of bySplit) splits[split] = concatenate(await inOrder(paths, (path) => readTable(data, path)))
  return withFirstColumns(splits)
}

/** The first split decides the columns: what a later one lacks is null. */
function withFirstColumns(splits: Splits): Splits {
  const [first] = Object.values(splits)
  return Object.fromEntries(
    Object.entries(splits).map(([split, table]) => {
      const isSame = first!.columns.every((name) => table.columns.includes(name))
      const columns = [...first!.columns, ...table.columns.filter((name) => !first!.columns.includes(name))]
      return [split, isSame ? table : { columns, rows: dictsOf({ columns, rows: table.rows }).map((row) => dictFromEntries([...row])) }]
    }),
  )
}

/** The hub's conversion to Parquet, `CONFIG/SPLIT/NNNN.parquet`; undefined if the folder has another layout. */
async function convertedFiles(data: Data, folder: string, name: string | undefined): Promise<Map<string, string[]> | undefined> {
  const start = joinPath(folder, '').length
  const files = (await data.walk(folder)).map((path) => ({
    path,
    parts: /^([^/]+)\/(partial-)?([^/]+)\/\d{4}\.parquet$/.exec(path.slice(start)),
  }))
  if (files.length === 0 || files.some(({ parts }) => parts === null)) return undefined
  const configs = [...new Set(files.map(({ parts }) => parts![1]!))]
  const config = name ?? (configs.length === 1 ? configs[0] : configs.find((one) => one === 'default'))
  if (config === undefined || !configs.includes(config))
    throw new BadData(`there is no config "${config ?? 'default'}" (there are: ${configs.join(', ')})`, folder)
  const found = new Map<string, string[]>()
  for (const { path, parts } of files) {
    const [, own, partial, split] = parts!
    if (own !== config) continue
    if (partial !== undefined && !found.has(split!))
      data.files.note?.({ code: 'partial-data', where: folder, text: `the hub has converted only the first rows of the split "${split}"` })
    found.set(split!, [...(found.get(split!) ?? []), path])
  }
  return new Map([...found].sort(([a], [b]) => order(a) - order(b)))
}

async function filesBySplit(data: Data, folder: string): Promise<Map<string, string[]>> {
  const files = (await data.walk(folder)).filter(
    (path) => kinds[path.slice(path.lastIndexOf('.') + 1).replace(/^gz$/, 'json')] !== undefined,
  )
  if (files.length === 0) throw new MissingData(`no data files lie in ${folder}`, folder)
  const found = new Map<string, string[]>()
  for (const path of files) {
    const inside = path.slice(folder.length)
    const split = splitNames.find(([, words]) => words.test(inside))?.[0] ?? 'train'
    found.set(split, [...(found.get(split) ?? []), path])
  }
  return new Map([...found].sort(([a], [b]) => order(a) - order(b)))
}

function order(split: string): number {
  return ['train', 'validation', 'test'].indexOf(split)
}

type HubConfig = { config_name?: string; data_files?: string | string[] | { split: string; path: string | string[] }[] }

async function configFiles(data: Data, folder: string, name: string | undefined): Promise<Map<string, string[]> | undefined> {
  const readme = joinPath(folder, 'README.md')
  const text = (await data.exists(readme)) ? await data.text(readme) : ''
  const header = /^---\n([\s\S]*?)\n---/.exec(text)?.[1]
  if (header === undefined) {
    if (name !== undefined && name !== 'default')
      throw new BadData(`the folder does not tell which files are "${name}" (configs: in README.md)`, folder)
    return undefined
  }
  const { parse } = await import('yaml')
  const configs = ((parse(header) as { configs?: HubConfig[] } | null)?.configs ?? []) as HubConfig[]
  if (configs.length === 0) return undefined
  const config = name === undefined ? configs[0] : configs.find(({ config_name }) => config_name === name)
  if (!config) throw new BadData(`there is no config "${name}" (there are: ${configs.map((one) => one.config_name).join(', ')})`, readme)
  const all = await data.walk(folder)
  const matching = (pattern: string) => {
    const expression = new RegExp(
      `^${pattern
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('**', '\0')
        .replaceAll('*', '[^/]*')
        .replaceAll('\0', '.*')}$`,
    )
    return all.filter((path) => expression.test(path.slice(joinPath(folder, '').length)))
  }
  const files = config.data_files ?? []
  if (typeof files === 'string') return new Map([['train', matching(files)]])
  const found = new Map<string, string[]>()
  for (const file of files) {
    if (typeof file === 'string') found.set('train', [...(found.get('train') ?? []), ...matching(file)])
    else found.set(file.split, [file.path].flat().flatMap(matching))
  }
  return found
}
