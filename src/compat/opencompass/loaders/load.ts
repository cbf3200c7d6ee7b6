import { suggestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { PyDict } from '../../../base/python/index.ts'
import { BadData, MissingData } from './bad-data.ts'
import { byClassName } from './by-class-name.ts'
import type { Files } from './files.ts'
import { checkSettings, type Loaded, type Loader, Settings } from './loader.ts'
import { Data } from './loader-data.ts'
import { loaders } from './registry.ts'

/** The loader of a dataset class by its name in a config: `GSM8KDataset` or `opencompass.datasets.GSM8KDataset`. */
export const loaderNamed: (type: string) => Loader | undefined = byClassName(loaders)

/** The rows that an OpenCompass dataset class returns for the files on disk, by split. */
export async function load(type: string, settings: PyDict, files: Files): Promise<Loaded> {
  const loader = loaderNamed(type)
  if (!loader) throw unknownLoader(type)
  const given = new Settings(settings)
  try {
    checkSettings(loader, given)
    return await loader.load(new Data(files), given)
  } catch (error) {
    if (!(error instanceof BadData)) throw error
    const isMissing = error instanceof MissingData
    throw new PromptError(isMissing ? 'missing-data' : 'bad-data', {
      where: `${type}${error.place ? ` › ${error.place}` : ''}`,
      problem: error.message,
      fix: isMissing
        ? `put the data there, or correct "path". ${type} reads ${loader.reads}`
        : `correct the data. ${type} reads ${loader.reads}`,
    })
  }
}

export function unknownLoader(type: string, where = `type: ${type}`): PromptError {
  return new PromptError('unknown-loader', {
    where,
    problem: `the dataset class "${type}" is not known, so that its rows cannot be read as OpenCompass reads them`,
    fix: `give the rows that it would make yourself: "rows", or "path" with a .jsonl, .json, .csv, .tsv or .parquet file and no "type". ${suggestName(type, Object.keys(loaders))}`,
  })
}
