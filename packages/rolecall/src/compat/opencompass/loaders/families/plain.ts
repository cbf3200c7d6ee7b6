import type { PyValue } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readDataFiles, splitOf } from '../load-dataset.ts'
import { isTable, type Loaded, type Loader, type Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { dictOf, type RowDict } from '../row-values.ts'
import { oneFile, repeatedRows } from '../simple.ts'
import { fromList, mapTable } from '../table.ts'

const readsDataFiles =
  'what "data_files" names as JSON, CSV or Parquet (path: json, csv or parquet), or a folder laid out as on the Hugging Face hub'

/** `load_dataset` with the config's arguments. */
async function loadDataset(data: Data, settings: Settings, options: { localMode: boolean }): Promise<Loaded> {
  const { path } = settings
  const kind = path === 'json' || path === 'csv' || path === 'parquet' ? path : undefined
  const splits = kind
    ? await readDataFiles(data, await resolved(data, settings.get('data_files'), options), kind)
    : await loadFolder(data, path, { name: settings.has('name') ? settings.text('name') : undefined })
  return settings.has('split') && settings.get('split') !== null ? splitOf(splits, settings.text('split')) : splits
}

/** `data_files` is resolved as a path, never as an id. */
export const huggingface: Loader = {
  reads: readsDataFiles,
  takes: ['path', 'name?', 'split?', 'data_files?', '*'],
  load: (data, settings) => loadDataset(data, settings, { localMode: true }),
}

/** A loader that maps the rows of `load_dataset`. */
export function mapped(change: (row: RowDict, index: number) => RowDict | undefined): Loader {
  return {
    reads: readsDataFiles,
    takes: ['path', 'name?', 'split?', 'data_files?', '*'],
    async load(data, settings) {
      const loaded = await loadDataset(data, settings, { localMode: false })
      return isTable(loaded)
        ? mapTable(loaded, change)
        : Object.fromEntries(Object.entries(loaded).map(([split, table]) => [split, mapTable(table, change)]))
    },
  }
}

async function resolved(data: Data, files: PyValue | undefined, options: { localMode: boolean }): Promise<PyValue> {
  if (typeof files === 'string') return data.path(files, options)
  throw new BadData('"data_files" in the dataset\'s config is not the path of a file')
}

export const jsonLines = oneFile({ takes: ['path'] })

/** A user's .jsonl or .csv file; a byte order mark is dropped. */
export const custom: Loader = {
  reads: 'a .jsonl file, or a .csv file with a header; with "file_name" a folder that has it',
  takes: ['path', 'file_name?', 'local_mode?', '*'],
  async load(data, settings) {
    const folder = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const name = settings.get('file_name')
    const path = typeof name === 'string' ? joinPath(folder, name) : folder
    return fromList(await ownRows(data, path))
  },
}

async function ownRows(data: Data, path: string, encoding: 'utf-8' | 'utf-8-sig' = 'utf-8-sig'): Promise<RowDict[]> {
  if (path.endsWith('.jsonl')) return data.rows(path, { encoding })
  if (!path.endsWith('.csv')) throw new BadData('the file is neither .jsonl nor .csv', path)
  const [header, ...records] = await data.csv(path, { encoding })
  if (!header) throw new BadData('the file is empty', path)
  return records.map((record, index) =>
    dictOf(new Map(header.slice(0, record.length).map((name, at) => [name, record[at]!])), `${path} › row ${index + 1}`),
  )
}

/** The same with repeated rows; a byte order mark is an error. */
export const codeCustom: Loader = {
  reads: 'a .jsonl file, or a .csv file with a header; with "file_name" a folder that has it',
  takes: ['path', 'file_name?', 'local_mode?', 'num_repeats?', '*'],
  async load(data, settings) {
    const folder = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const name = settings.get('file_name')
    const rows = await ownRows(data, typeof name === 'string' ? joinPath(folder, name) : folder, 'utf-8')
    return fromList(repeatedRows(rows, settings))
  },
}
