import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { compareCodePoints, dictFromEntries, type PyValue } from '@rolecall/core/internal/python'
import { BadData } from '../../compat/opencompass/loaders/bad-data.ts'
import type { Files } from '../../compat/opencompass/loaders/files.ts'
import { withGivenAnswers } from '../../compat/opencompass/loaders/given-answers.ts'
import { isTable, type Loaded, load, loaderNamed, splitAsRead, unknownLoader } from '../../compat/opencompass/loaders/index.ts'
import { datasetSchema } from '../../evaluation/config/dataset-schema.ts'
import { type Chunks, oneByOne } from '../../evaluation/dataset/chunks.ts'
import { isUnfit } from '../../evaluation/dataset/row-formats/index.ts'
import { inRange, mostRows, type RowRange, readRange } from '../../evaluation/dataset/row-range.ts'
import { dataDownloads } from './data-downloads.ts'
import { withMediaColumns } from './media-columns.ts'
import { allowFolders, fileNamed, type RowFiles } from './named-files.ts'
import type { NumberedRow, RowSource, RowsConfig } from './row-source.ts'

/** Dataset keys for reading the user's own files; a loader may take one under the same name. */
const ofFiles = [
  'train_path',
  'train_rows',
  'columns',
  'delimiter',
  'map_columns',
  'media_columns',
  'row_format',
  'file_type',
  'answers_path',
  'on_bad_row',
] as const

/** Keys that never reach a loader. */
const ofDataset = new Set([...Object.keys(datasetSchema.shape), 'abbr'].filter((key) => key !== 'path'))

/** Caches loaded datasets: each is opened several times. `files`: what their rows may name. */
const loadedBefore = new WeakMap<object, LoadedDataset>()

type LoadedDataset = { folder: string; loaded: Promise<Loaded>; files: RowFiles }

/** Opens the rows of a dataset whose `type` is an OpenCompass dataset class. Nothing is read yet. */
export function openLoaderRows(dataset: RowsConfig & { type: string }, folder: string): { test: RowSource; train: RowSource } {
  const { type, abbr: name = 'dataset', reader_cfg: reader = {} } = dataset
  const loader = loaderNamed(type)
  if (!loader) throw unknownLoader(type, `${name} › type`)
  const surplus = ofFiles.find((key) => dataset[key] !== undefined && !takes(loader.takes, key))
  if (surplus !== undefined) {
    throw new PromptError('not-with-loader', {
      where: `${name} › ${surplus}`,
      problem: `"${surplus}" applies to your own files, but ${type} reads its files itself`,
      fix: `remove "${surplus}", or remove "type" and set path to a file of rows`,
    })
  }
  const splitNamed = (key: 'train_split' | 'test_split', otherwise: string) => {
    const split = reader[key] ?? otherwise
    if (typeof split === 'string') return split
    throw new PromptError('bad-value', {
      where: `${name} › reader_cfg.${key}`,
      problem: 'this is not the name of a split',
      fix: `write a string such as "${otherwise}"`,
    })
  }
  const [trainSplit, testSplit] = [splitNamed('train_split', 'train'), splitNamed('test_split', 'test')]
  let isOneTable = false
  const rowsOf = async (split: string, key: string) => {
    const { loaded: loading, files } = loadOnce(dataset, folder)
    const loaded = await loading
    isOneTable = isTable(loaded)
    const read = splitAsRead(loaded, split, key, { abbr: name })
    const named = { bases: files.bases, allowed: files.allowed }
    const rows = hasParts(dataset) ? read.map((row, number) => withNamedFiles(row, `${name} › row ${number}`, named)) : read
    return key === 'test_split' ? withGivenAnswers(dataset, rows, diskFiles(folder)) : rows
  }
  const ranges = {
    train: readRange(reader.train_range, `${name} › reader_cfg.train_range`),
    test: readRange(reader.test_range, `${name} › reader_cfg.test_range`),
  }
  // A table without splits serves as train and test; that is known only once it is loaded.
  const origin = (split: string) => `${type}\0${isOneTable ? '' : split}`
  const train = sourceOf({
    chunks: () =>
      inRange(
        numbered(() => rowsOf(trainSplit, 'train_split')),
        ranges.train,
      ),
    range: ranges.train,
    origin: () => origin(trainSplit),
  })
  const test = sourceOf({
    // In OpenCompass, the split "train" is already cut to train_range.
    chunks: () => inRange(testSplit === 'train' ? train.chunks() : numbered(() => rowsOf(testSplit, 'test_split')), ranges.test),
    range: ranges.test,
    origin: () => origin(testSplit === 'train' ? trainSplit : testSplit),
  })
  return { test, train }
}

function loadOnce(dataset: RowsConfig & { type: string }, folder: string): LoadedDataset {
  const before = loadedBefore.get(dataset)
  if (before?.folder === folder) return before
  // A class finds its data in several places: rows may name files below the folders that it has read.
  const read = new Set<string>()
  const roots = [dataset.media_root ?? []].flat().map((path) => resolve(folder, path))
  const files: RowFiles = {
    bases: [...roots, process.cwd(), folder],
    get allowed() {
      return allowFolders([...roots, ...read])
    },
  }
  const disk = diskFiles(folder)
  const loaded = load(dataset.type, settingsOf(dataset), {
    ...disk,
    ...dataDownloads.for(folder),
    async bytes(path) {
      const bytes = await disk.bytes(path)
      if (bytes !== undefined) read.add(dirname(await disk.place(path)))
      return bytes
    },
    async names(path) {
      const names = await disk.names(path)
      if (names !== undefined) read.add(await disk.place(path))
      return names
    },
    async named(path) {
      const found = fileNamed(path, files)
      if (found !== undefined && !('path' in found)) throw new BadData(`${found.problem}; ${found.fix}`, path)
      return found && readFile(found.path)
    },
  })
  const made = { folder, loaded, files }
  loadedBefore.set(dataset, made)
  // A failed load may be retried once the files are there.
  loaded.catch(() => loadedBefore.delete(dataset))
  return made
}

/** Whether a class of AISBench writes parts of media into its rows, by the templates of `prompt_mm`. */
function hasParts(dataset: object): boolean {
  return 'with_parts' in dataset
}

/** A row whose parts name files by reference. */
function withNamedFiles(row: Row, where: string, files: RowFiles): Row {
  const read = withMediaColumns(row, ['content'], files)
  if (isUnfit(read)) throw new PromptError('bad-row', { where, ...read })
  return read
}

/** Downloads what a dataset class reads; true if it comes from a repository, false if from a folder or an archive of OpenCompass. */
export async function fetchLoaderData(dataset: RowsConfig & { type: string }, folder: string): Promise<boolean> {
  const { repository, split, ...downloads } = dataDownloads.for(folder)
  let isFromHub = false
  const noted =
    <Args extends unknown[], Found>(fetch: (...args: Args) => Promise<Found>) =>
    async (...args: Args) => {
      const found = await fetch(...args)
      isFromHub ||= found !== undefined
      return found
    }
  const fromHub = { ...(repository ? { repository: noted(repository) } : {}), ...(split ? { split: noted(split) } : {}) }
  await load(dataset.type, settingsOf(dataset), { ...diskFiles(folder), ...downloads, ...fromHub })
  return isFromHub
}

/** The arguments OpenCompass would pass to the class: all keys except those of the dataset itself. */
function settingsOf(dataset: RowsConfig & { type: string }) {
  const own = loaderNamed(dataset.type)?.takes ?? []
  return dictFromEntries(
    Object.entries(dataset).filter(
      ([key, value]) => value !== undefined && (!ofDataset.has(key) || (takes(own, key) && !neverTaken.has(key))),
    ) as [string, PyValue][],
  )
}

const neverTaken = new Set(['abbr', 'type', 'reader_cfg', 'infer_cfg', 'eval_cfg', 'n', 'k'])

function takes(names: readonly string[], key: string): boolean {
  return names.includes(key) || names.includes(`${key}?`)
}

function sourceOf({ chunks, range, origin }: { chunks: () => Chunks<NumberedRow>; range: RowRange; origin: () => string }): RowSource {
  return {
    chunks,
    get origin() {
      return origin()
    },
    total: undefined,
    most: mostRows(range),
    skipped: { count: 0, reasons: [] },
    [Symbol.asyncIterator]: () => oneByOne(chunks()),
  }
}

async function* numbered(rows: () => Promise<readonly Row[]>): AsyncGenerator<NumberedRow[]> {
  yield (await rows()).map((row, number) => ({ row, number }))
}

/** The file system for loaders, and where it finds a path. */
type DiskFiles = Files & { place(path: string): Promise<string> }

/**
 * The file system for loaders. Relative paths are resolved against the working folder, as OpenCompass does, then against the
 * config's folder.
 */
export function diskFiles(folder: string, working = process.cwd()): DiskFiles {
  const kindOf = async (path: string) => {
    const found = await stat(path).catch(() => undefined)
    return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : undefined
  }
  const placeOf = async (path: string) => {
    const [first, second] = [resolve(working, path), resolve(folder, path)]
    return first === second || (await kindOf(first)) !== undefined ? first : second
  }
  return {
    environment: process.env,
    place: placeOf,
    async kind(path) {
      const kind = await kindOf(await placeOf(path))
      return kind === 'file' && path.endsWith('/') ? undefined : kind
    },
    async bytes(path) {
      const place = await placeOf(path)
      return (await kindOf(place)) === 'file' ? readFile(place) : undefined
    },
    async names(path) {
      const place = await placeOf(path)
      return (await kindOf(place)) === 'folder' ? (await readdir(place)).sort(compareCodePoints) : undefined
    },
  }
}
