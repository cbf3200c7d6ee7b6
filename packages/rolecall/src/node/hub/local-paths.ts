import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { preparedSplit } from './datasets-cache.ts'
import { type DatasetPart, fetchDataset } from './fetch-dataset.ts'
import { fetchGguf, fetchModel } from './fetch-model.ts'
import { readHubLock } from './hub-lock.ts'
import { type HubName, parseHubName, showHubName } from './hub-name.ts'
import { datasetsCache } from './hub-settings.ts'
import type { HubSource } from './hub-site.ts'
import { hubUse } from './hub-use.ts'
import { Hub, type HubOptions } from './open-hub.ts'

/**
 * The hub name in a text; undefined if it cannot be one, or if it is a path: one that exists, or whose first folder does. `hf://` and
 * `ms://` decide where a name looks like both.
 */
function hubNameIn(text: string, kind: HubName['kind'], folder = '.'): HubName | undefined {
  if (existsSync(resolve(folder, text))) return undefined
  return !isCertainName(text) && existsSync(resolve(folder, text.split('/')[0]!)) ? undefined : parseHubName(text, kind)
}

/** Whether a text can only mean a hub. */
export function isCertainName(text: string): boolean {
  return /^(?:hf|ms|modelscope|https?):|^(?:hf|huggingface)\.co\//.test(text)
}

/** What this process has used from hubs: repositories, commits and the hashes of files. */
export function usedHubSources(): readonly HubSource[] {
  return [...hubUse.sources.values()]
}

type ModelOptions = HubOptions & {
  folder?: string
  /** Of a GGUF file, download the weights, not only the metadata at its start. */
  weights?: boolean
}

/**
 * A path, or a name on a hub whose tokenizer and templates are downloaded: the local path. Other texts are returned unchanged. Of a GGUF
 * file, its metadata is enough, unless `weights` are wanted.
 */
export async function localModelPath(text: string, { weights = false, ...options }: ModelOptions = {}): Promise<string> {
  const name = hubNameIn(text, 'models', options.folder)
  return name === undefined
    ? text
    : named(
        text,
        withHub(options, (hub) => fetchModel(hub, name, weights)),
      )
}

/** As `localModelPath`, for weights: the path of a GGUF file. */
export async function localGgufPath(text: string, { weights = true, ...options }: ModelOptions = {}): Promise<string> {
  const name = hubNameIn(text, 'models', options.folder)
  return name === undefined
    ? text
    : named(
        text,
        withHub(options, (hub) => fetchGguf(hub, name, weights)),
      )
}

/** The files of a dataset's split on a hub; undefined if the text is not a name of one. */
export async function localDatasetPaths(
  text: string,
  part: DatasetPart,
  options: HubOptions & { folder?: string } = {},
): Promise<string[] | undefined> {
  const name = hubNameIn(text, 'datasets', options.folder)
  return name === undefined ? undefined : named(text, localSplit({ ...name, kind: 'datasets' }, part, options))
}

const converted = 'refs/convert/parquet'

/**
 * Downloads those files of a dataset's repository that `choose` selects, or of its conversion to Parquet if the repository has none: the
 * local folder. Undefined if the text is not a name on a hub.
 */
export async function localFolder(
  text: string,
  choose: (paths: readonly string[]) => readonly string[],
  options: HubOptions & { folder?: string } = {},
): Promise<string | undefined> {
  const name = hubNameIn(text, 'datasets', options.folder)
  return name === undefined ? undefined : named(text, chosenFiles({ ...name, kind: 'datasets' }, choose, options))
}

function chosenFiles(
  name: HubName,
  choose: (paths: readonly string[]) => readonly string[],
  options: HubOptions & { folder?: string },
): Promise<string> {
  return withHub(options, async (hub) => {
    const choice = async (from: HubName) => new Set(choose((await hub.list(from)).files.map(({ path }) => path)))
    const chosen = await choice(name)
    if (chosen.size > 0) return (await hub.fetch(name, ({ path }) => chosen.has(path))).folder
    const parquet = { ...name, revision: converted }
    const hasParquet = name.site === 'huggingface' && name.revision === undefined
    const other = hasParquet ? await choice(parquet).catch(noRevision) : new Set<string>()
    if (other.size > 0) {
      const text = `its rows come from the hub's conversion to Parquet (${converted})`
      const note = options.note ?? hubUse.note
      note({ code: 'hub-converted', where: showHubName(name), text })
      return (await hub.fetch(parquet, ({ path }) => other.has(path))).folder
    }
    throw new PromptError('hub-no-file', {
      where: showHubName(name),
      problem: 'the repository has none of the files that are needed',
      fix: 'give the folder that has them',
    })
  })
}

/** A dataset by its id; the oldest have no organisation. */
export function datasetName(id: string): HubName | undefined {
  const name = /^[\w.-]+$/.test(id) ? ({ site: 'huggingface', id } as const) : parseHubName(id, 'datasets')
  return name && { ...name, kind: 'datasets' }
}

/** The local folder with all rows of a dataset's repository; undefined if the text is not a name, or downloads are forbidden. */
export async function localRepository(id: string, options: HubOptions & { folder?: string } = {}): Promise<string | undefined> {
  const isRows = (path: string) => /\.(?:parquet|arrow|jsonl|ndjson|json|csv|tsv)(?:\.gz)?$/i.test(path)
  const choose = (paths: readonly string[]) => (paths.some(isRows) ? paths.filter((path) => isRows(path) || path === 'README.md') : [])
  const name = datasetName(id)
  try {
    return name === undefined ? undefined : await chosenFiles(name, choose, options)
  } catch (error) {
    if (error instanceof PromptError && error.code === 'hub-offline') return undefined
    throw error
  }
}

/** The local files of a split of a dataset by its id. */
export async function localNamedSplit(id: string, part: DatasetPart, options: HubOptions & { folder?: string } = {}): Promise<string[]> {
  const name = datasetName(id)
  if (name === undefined)
    throw new PromptError('bad-hub-name', { where: id, problem: 'this is not a name on a hub', fix: 'write ORG/NAME' })
  return localSplit(name, part, options)
}

/** One file of a repository; undefined if the repository has none of this name. */
export function localNamedFile(name: HubName, path: string, options: HubOptions & { folder?: string } = {}): Promise<string | undefined> {
  return withHub(options, async (hub) => (await hub.fetch(name, (file) => file.path === path, [path])).paths.get(path))
}

/** Not every dataset is converted. */
function noRevision(error: unknown): Set<string> {
  if (error instanceof PromptError && error.code === 'hub-no-revision') return new Set()
  throw error
}

/** The local files of a split of a dataset. */
export async function localSplit(name: HubName, part: DatasetPart, options: HubOptions & { folder?: string } = {}): Promise<string[]> {
  const note = options.note ?? hubUse.note
  try {
    return await withHub(options, (hub) => fetchDataset(hub, name, part, note))
  } catch (error) {
    const isAway = error instanceof PromptError && (error.code === 'hub-offline' || error.code === 'hub-unreachable')
    const prepared = isAway && name.revision === undefined ? preparedSplit(datasetsCache(options.environment), name, part) : undefined
    if (prepared === undefined) throw error
    note({
      code: 'hub-prepared',
      where: showHubName(name),
      text: `its rows come from the cache of Python's datasets: ${prepared.join(', ')}`,
    })
    return prepared
  }
}

/** A text that may be a misspelt path as well is explained as both. */
async function named<Result>(text: string, result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (isCertainName(text) || !(error instanceof PromptError) || !isMissing.has(error.code)) throw error
    const { code, where, problem, fix } = error
    throw new PromptError(code, { where, problem: `there is no file or folder ${text} here, and as a name on a hub: ${problem}`, fix })
  }
}

const isMissing: ReadonlySet<string> = new Set(['hub-no-repository', 'hub-offline', 'hub-unreachable', 'hub-frozen'])

async function withHub<Result>(
  { folder = '.', ...options }: HubOptions & { folder?: string },
  use: (hub: Hub) => Promise<Result>,
): Promise<Result> {
  const lock = options.lock ?? (hubUse.locks ? readHubLock(folder) : undefined)
  const { memory } = hubUse
  const shared = { onProgress: hubUse.show, note: hubUse.note, ...(memory === undefined ? {} : { memory }) }
  const hub = new Hub({ ...shared, ...options, ...(lock === undefined ? {} : { lock }) })
  try {
    return await use(hub)
  } finally {
    for (const source of hub.sources) {
      const files = { ...hubUse.sources.get(source.repository)?.files, ...source.files }
      hubUse.sources.set(source.repository, { ...source, files })
    }
    await hub.close()
  }
}
