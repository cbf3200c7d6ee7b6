import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import type { PyDict } from '@rolecall/core/internal/python'
import { BadData, MissingData } from './bad-data.ts'
import { byClassName } from './by-class-name.ts'
import { dataSource, hubRepository } from './data-source.ts'
import type { Files } from './files.ts'
import { HubRows } from './hub-rows.ts'
import { checkSettings, type Loaded, type Loader, Settings } from './loader.ts'
import { Data } from './loader-data.ts'
import { loaders } from './registry.ts'

/** The loader of a dataset class by its name in a config: `GSM8KDataset` or `opencompass.datasets.GSM8KDataset`. */
export function loaderNamed(type: string): Loader | undefined {
  return added.get(type) ?? ported(type)
}

const ported = byClassName(loaders)
const added = new Map<string, Loader>()

/** Makes another loader available to configs under its name. */
export function registerLoader(name: string, loader: Loader): void {
  added.set(name, loader)
}

/** The rows that an OpenCompass dataset class returns for the files on disk, by split. */
export async function load(type: string, settings: PyDict, files: Files): Promise<Loaded> {
  const loader = loaderNamed(type)
  if (!loader) throw unknownLoader(type)
  const given = new Settings(settings)
  try {
    checkSettings(loader, given)
    const rows = rowsOnHub(loader, given, files)
    return rows === undefined ? await loader.load(new Data(files), given) : await loader.hub!(rows, given)
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

/** The rows on the hub that DATASET_SOURCE names; undefined if they are read from files. */
function rowsOnHub(loader: Loader, settings: Settings, files: Files): HubRows | undefined {
  const source = dataSource(files)
  const path = settings.get('path')
  if (source === undefined || loader.hub === undefined || typeof path !== 'string' || settings.flag('local_mode')) return undefined
  const repository = hubRepository(path, source)
  return repository === undefined ? undefined : new HubRows(repository, files)
}

/** How to get OpenCompass's source, which has the classes that are not written here. */
export const checkoutHint =
  'get its source (git clone https://github.com/open-compass/opencompass) and pass --opencompass DIR, or set OPENCOMPASS_DIR'

export function unknownLoader(type: string, where = `type: ${type}`): PromptError {
  return new PromptError('unknown-loader', {
    where,
    problem: `the dataset class "${type}" is not known, so that its rows cannot be read as OpenCompass reads them`,
    fix: `if it is a class of OpenCompass, ${checkoutHint}; else give its rows: "rows", or "path" with a .jsonl, .json, .csv, .tsv or .parquet file and no "type". ${suggestName(type, Object.keys(loaders))}`,
  })
}
