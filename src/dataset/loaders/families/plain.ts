import type { PyValue } from '../../../python/index.ts'
import { BadData } from '../bad-data.ts'
import type { Data } from '../data.ts'
import { loadFolder, readDataFiles, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'

/** `load_dataset` with the arguments of the config; `data_files` is looked for as a path, never as an id. */
export const huggingface: Loader = {
  reads: 'what "data_files" names as JSON, CSV or Parquet (path: json, csv or parquet), or a folder laid out as on the Hugging Face hub',
  takes: ['path', 'name?', 'data_files?', 'data_dir?', 'split?', '*'],
  async load(data, settings) {
    const { path } = settings
    const files = settings.get('data_files')
    const kind = path === 'json' || path === 'csv' || path === 'parquet' ? path : undefined
    const splits = kind
      ? await readDataFiles(data, await resolved(data, files), kind)
      : await loadFolder(data, path, { name: settings.has('name') ? settings.text('name') : undefined })
    return settings.has('split') && settings.get('split') !== null ? splitOf(splits, settings.text('split')) : splits
  },
}

async function resolved(data: Data, files: PyValue | undefined): Promise<PyValue> {
  if (typeof files === 'string') return data.path(files, { localMode: true })
  throw new BadData('"data_files" in the dataset\'s config is not the path of a file')
}
