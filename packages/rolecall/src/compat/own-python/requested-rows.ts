import { PromptError } from '@rolecall/core/internal/errors'
import { isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { BadData } from '../opencompass/loaders/bad-data.ts'
import { joinPath } from '../opencompass/loaders/files.ts'
import { loadFolder, readDataFiles } from '../opencompass/loaders/load-dataset.ts'
import type { Data } from '../opencompass/loaders/loader-data.ts'
import type { Splits } from '../opencompass/loaders/table.ts'
import type { DatasetRequest } from './dataset-modules.ts'

const builders = ['json', 'csv', 'parquet'] as const

/** The rows that `load_dataset` gives for files: of a builder such as `json`, or of a folder as a hub has it. */
export async function loadDataset(data: Data, { path, name, files, folder }: DatasetRequest): Promise<Splits> {
  try {
    const builder = builders.find((each) => each === path)
    if (builder !== undefined) return await readDataFiles(data, inFolder(files, folder), builder)
    return await loadFolder(data, path, { name })
  } catch (error) {
    if (!(error instanceof BadData)) throw error
    throw new PromptError('bad-data', {
      where: `load_dataset › ${error.place ?? path}`,
      problem: error.message,
      fix: 'put the data there, or correct the path',
    })
  }
}

function inFolder(files: PyValue | undefined, folder: string | undefined): PyValue | undefined {
  if (folder === undefined || files === undefined) return files
  if (typeof files === 'string') return joinPath(folder, files)
  if (isList(files)) return files.map((file) => joinPath(folder, String(file)))
  return isDict(files) ? files : files
}
