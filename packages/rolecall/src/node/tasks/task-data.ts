import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { entriesOf, isDictValue, isListValue, type Value } from '@rolecall/core/internal/python'
import type { RowsRequest } from '../../compat/lm-eval/python/provided.ts'
import type { TaskConfig } from '../../compat/lm-eval/task/task-config.ts'
import { type HubName, parseHubName, showHubName } from '../hub/hub-name.ts'
import { datasetName, localNamedFile, localSplit } from '../hub/local-paths.ts'
import { isInside, quoteWord } from '../platform.ts'
import { readWholeText } from '../read-whole-file.ts'
import { readRows } from '../rows/read-rows.ts'
import { withColumnTypes } from './csv-types.ts'

/** Extensions of row files, by preference. */
const endings = ['.parquet', '.jsonl', '.json', '.csv', '.tsv']

/** Synonymous split names in hub datasets. */
const alike: readonly (readonly string[])[] = [
  ['train', 'training'],
  ['validation', 'valid', 'val', 'dev'],
  ['test', 'testing', 'eval', 'evaluation'],
]

/** Values of `dataset_path` that name a file type instead of a hub dataset. */
const kinds = new Set(['json', 'csv', 'parquet', 'text'])

/** Where a task's file and its data are; `note` receives what a hub assumed. */
export type TaskPlace = { file: string; dataDir: string | undefined; note: (note: Note) => void }

/** Reads the rows of a task's split: from the data folder, the working folder or beside the task, else from the hub and its cache. */
export async function rowsOfSplit(config: TaskConfig, split: string, { file, dataDir, note }: TaskPlace): Promise<Row[]> {
  const paths = (await filesOf(config, split, file, dataDir)) ?? (await hubFilesOf(config, split, dataDir, note))
  return rowsOfFiles(paths)
}

async function rowsOfFiles(paths: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const path of paths) for await (const row of readRows(path)) rows.push(row)
  return paths.some((path) => /\.[ct]sv(?:\.gz)?$/.test(path)) ? withColumnTypes(rows) : rows
}

/** Reads rows that a function of a task loads. */
export async function rowsOfRequest(config: TaskConfig, { path, name, split, files }: RowsRequest, place: TaskPlace): Promise<Row[]> {
  const dataset = { path, name, options: new Map<string, Value>() }
  if (files === undefined) return rowsOfSplit({ ...config, dataset }, split, place)
  const folders = foldersFor(path, name, place.file, place.dataDir)
  const paths: string[] = []
  for (const file of files) {
    const found = folders.map((folder) => join(folder, file)).find((one, place) => isInside(one, folders[place]!) && existsSync(one))
    if (found === undefined)
      throw new PromptError('no-data', {
        where: config.where,
        problem: `there is no file ${file} of "${path}"`,
        fix: `put it at ${join(place.dataDir ?? 'DIR', path, file)}${place.dataDir === undefined ? ' and pass --data-dir DIR' : ''}`,
      })
    paths.push(found)
  }
  return rowsOfFiles(paths)
}

/** Reads a file that a function of a task gets from the web: a dataset's file from its hub, any other from the data folder. */
export async function pageOf(url: string, { file, dataDir }: TaskPlace, where: string): Promise<string> {
  const [, id, revision, path] = /^https:\/\/huggingface\.co\/datasets\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/([^?]+)/.exec(url) ?? []
  if (id !== undefined) return readWholeText(await namedFile(`hf://datasets/${id}@${revision}/${path}`, where, file, dataDir))
  // The name stays percent-encoded: decoded, it could lead out of the data folder.
  const name = /^https?:/.test(url) && URL.canParse(url) ? new URL(url).pathname.split('/').at(-1)! : ''
  if (name === '')
    throw new PromptError('no-data', {
      where,
      problem: `a function of the task reads ${JSON.stringify(url)}, which is not a file on the web`,
      fix: 'leave the task out',
    })
  const found = dataDir === undefined ? undefined : join(dataDir, name)
  if (found !== undefined && existsSync(found)) return readWholeText(found)
  const download = ['curl', '-L', '--create-dirs', '-o', join(dataDir ?? 'DIR', name), url].map((word) => quoteWord(word))
  throw new PromptError('no-data', {
    where,
    problem: `a function of the task reads ${url}, and functions have no network`,
    fix: `download it: ${download.join(' ')}${dataDir === undefined ? ', and pass --data-dir DIR' : ''}`,
  })
}

/** The local or named files of a split; undefined if there are none. */
async function filesOf(config: TaskConfig, split: string, file: string, dataDir: string | undefined): Promise<string[] | undefined> {
  const { path, name, options } = config.dataset
  if (path === undefined)
    throw new PromptError('no-dataset', {
      where: `${config.where} › dataset_path`,
      problem: 'the task has no data',
      fix: 'set it to a dataset, or to json with data_files',
    })
  if (kinds.has(path) && options.has('data_files')) return namedFiles(config, split, file, dataDir)
  const found = foldersFor(path, name, file, dataDir).map((folder) => splitFiles(folder, split))
  return found.find((files) => files.length > 0)
}

/** The files of a split on the hub, downloaded if they are not in its cache. */
async function hubFilesOf(config: TaskConfig, split: string, dataDir: string | undefined, note: (note: Note) => void): Promise<string[]> {
  const { path, name: subset } = config.dataset
  const name = datasetName(path!)
  const part = { split, ...(subset === undefined ? {} : { config: subset }) }
  try {
    if (name !== undefined) return await localSplit(name, part, { note })
  } catch (error) {
    if (error instanceof PromptError) throw missing(error.problem, error.fix)
    throw error
  }
  throw missing('it is neither here nor the name of a dataset on a hub', 'check the name')

  function missing(why: string, fix: string): PromptError {
    const wanted = join(dataDir ?? 'DIR', path!, ...(subset === undefined ? [] : [subset]), `${split}.parquet`)
    return new PromptError('no-data', {
      where: `${config.where} › dataset_path`,
      problem: `the split "${split}" of "${path}"${subset === undefined ? '' : ` (${subset})`} was not found: ${why}`,
      fix: `put its files at ${wanted} (or .jsonl, .json, .csv)${dataDir === undefined ? ' and pass --data-dir DIR' : ''}, or ${fix}`,
    })
  }
}

/** `data_files` of a task: one path, a list, or a list per split. */
async function namedFiles({ dataset, where }: TaskConfig, split: string, file: string, dataDir: string | undefined): Promise<string[]> {
  const given = dataset.options.get('data_files') ?? null
  const named = isDictValue(given) ? (entriesOf(given).find(([name]) => name === split)?.[1] ?? null) : split === 'train' ? given : null
  const paths = (isListValue(named as Value) ? (named as readonly Value[]) : [named]).filter(
    (one): one is string => typeof one === 'string',
  )
  if (paths.length === 0)
    throw new PromptError('no-split', {
      where: `${where} › dataset_kwargs.data_files`,
      problem: `there is no file for the split "${split}"`,
      fix: `write "${split}: PATH"`,
    })
  const found: string[] = []
  for (const path of paths) found.push(await namedFile(path, `${where} › dataset_kwargs.data_files`, file, dataDir))
  return found
}

/** A local file, or one of a dataset on the hub: `hf://datasets/ORG/NAME/FILE`. */
async function namedFile(path: string, where: string, file: string, dataDir: string | undefined): Promise<string> {
  const onHub = /^hf:/.test(path) ? parseHubName(path, 'datasets') : undefined
  const places =
    onHub?.path === undefined
      ? [...(dataDir === undefined ? [] : [resolve(dataDir, path)]), resolve(path), resolve('/', dirname(file), path)]
      : foldersFor(onHub.id, undefined, file, dataDir).map((folder) => join(folder, onHub.path!))
  const found = places.find((place) => existsSync(place)) ?? (onHub?.path === undefined ? undefined : await hubFile(onHub, where, dataDir))
  if (found !== undefined) return found
  const place = onHub === undefined ? shortPath(places[0]!) : join(dataDir ?? 'DIR', onHub.id, onHub.path ?? '')
  throw new PromptError('no-data', { where, problem: `there is no file ${path}`, fix: `put it at ${place}` })
}

async function hubFile(name: HubName, where: string, dataDir: string | undefined): Promise<string | undefined> {
  try {
    return await localNamedFile({ ...name, kind: 'datasets' }, name.path!)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    throw new PromptError('no-data', {
      where,
      problem: `${showHubName(name)} was not found: ${error.problem}`,
      fix: `put it at ${join(dataDir ?? 'DIR', name.id, name.path!)}${dataDir === undefined ? ' and pass --data-dir DIR' : ''}, or ${error.fix}`,
    })
  }
}

/** Folders to search for a dataset: the data folder, the working folder, and beside the task. */
function foldersFor(path: string, name: string | undefined, file: string, dataDir: string | undefined): string[] {
  const short = path.split('/').at(-1)!
  const roots = [
    ...(dataDir === undefined
      ? []
      : [
          join(dataDir, path),
          join(dataDir, path.replaceAll('/', '__')),
          join(dataDir, path.replaceAll('/', '___')),
          join(dataDir, short),
          ...snapshots(dataDir, path),
        ]),
    resolve(path),
    resolve('/', dirname(file), path),
  ]
  const inside = roots.flatMap((root) =>
    name === undefined
      ? [join(root, 'data'), join(root, 'default'), root]
      : [join(root, name), join(root, 'data', name), join(root, 'data'), root],
  )
  return inside.filter((folder) => existsSync(folder) && statSync(folder).isDirectory())
}

/** Snapshots of a dataset in the Hugging Face cache. */
function snapshots(cache: string, path: string): string[] {
  const folder = join(cache, `datasets--${path.replaceAll('/', '--')}`, 'snapshots')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

/** The files of a split: `test.jsonl`, `test-00000-of-00002.parquet`, or everything in a folder `test`. */
function splitFiles(folder: string, split: string): string[] {
  const names = [split, ...(alike.find((group) => group.includes(split)) ?? []).filter((name) => name !== split)]
  for (const name of names) {
    const own = filesIn(folder).filter((file) => {
      const stem = basename(file).slice(0, -extname(file).length)
      return stem === name || stem.startsWith(`${name}-`) || stem.endsWith(`_${name}`) || stem.endsWith(`-${name}`)
    })
    if (own.length > 0) return ofOneKind(own)
    const subfolder = join(folder, name)
    if (existsSync(subfolder) && statSync(subfolder).isDirectory()) return ofOneKind(filesIn(subfolder))
  }
  return []
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => endings.includes(extname(name)))
    .sort()
    .map((name) => join(folder, name))
}

/** Keeps one file type: several types hold the same rows. */
function ofOneKind(files: readonly string[]): string[] {
  const kind = endings.find((ending) => files.some((file) => extname(file) === ending))
  return files.filter((file) => extname(file) === kind)
}

function shortPath(path: string): string {
  return path !== process.cwd() && isInside(path, process.cwd()) ? relative(process.cwd(), path) : path
}
