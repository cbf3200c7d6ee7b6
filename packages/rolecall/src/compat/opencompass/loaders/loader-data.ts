import { JsonSyntaxError, type PyValue, parseJson, strip } from '@rolecall/core/internal/python'
import { BadData, MissingData } from './bad-data.ts'
import { archives, localPaths } from './data-paths.ts'
import { dataSource, hubFolder } from './data-source.ts'
import { type Files, joinPath, type LoaderTokenizer } from './files.ts'
import { csvRecords, dictRecords } from './read/csv-records.ts'
import { decode, type TextOptions } from './read/decode.ts'
import { dictOf, type RowDict } from './row-values.ts'

export type JsonLinesOptions = TextOptions & {
  /** How a white-space line is handled: an error, as in `json.loads`, or skipped. */
  blank?: 'error' | 'skip'
}

/** File access for loaders, with Python's semantics for opening files. All paths are as the loader writes them. */
export class Data {
  constructor(readonly files: Files) {}

  /** `get_data_path`: the location of the dataset's folder or file. */
  path(id: string, options?: { localMode?: boolean }): Promise<string> {
    return dataPath(id, this.files, options)
  }

  /** A folder laid out as a repository on the Hugging Face hub: a path, or the repository itself where that can be downloaded. */
  async repository(id: string): Promise<string> {
    return (await this.isFolder(id)) ? id : ((await this.files.repository?.(id)) ?? id)
  }

  /** The tokenizer of a model. Prompts that are cut by tokens cannot be made without it. */
  async tokenizer(model: string): Promise<LoaderTokenizer> {
    const tokenizer = await this.files.tokenizer?.(model)
    if (tokenizer === undefined)
      throw new MissingData(
        `the tokenizer of ${model} is not here, and the texts are cut by its tokens ("tokenizer_model" can be a folder)`,
        model,
      )
    return tokenizer
  }

  exists(path: string): Promise<boolean> {
    return exists(path, this.files)
  }

  async isFolder(path: string): Promise<boolean> {
    return (await this.files.kind(path)) === 'folder'
  }

  /** The names in a folder, sorted. */
  async names(path: string): Promise<readonly string[]> {
    const names = await this.files.names(path)
    if (names === undefined) throw new MissingData(`there is no folder ${path}`, path)
    return names
  }

  async bytes(path: string): Promise<Uint8Array> {
    const bytes = await this.files.bytes(path)
    if (bytes === undefined) throw new MissingData(`there is no file ${path}`, path)
    return bytes
  }

  /** The bytes of a file that a row names: only one that rows may name. */
  async named(path: string): Promise<Uint8Array> {
    const bytes = await (this.files.named ?? this.files.bytes)(path)
    if (bytes === undefined) throw new MissingData(`there is no file ${path}`, path)
    return bytes
  }

  /** A file opened as text: line ends become `\n`; invalid UTF-8 is an error unless it is ignored explicitly. */
  async text(path: string, options?: TextOptions): Promise<string> {
    return decode(await this.bytes(path), path, options)
  }

  /** The lines of a file, without line ends. */
  async lines(path: string, options?: TextOptions): Promise<string[]> {
    const lines = (await this.text(path, options)).split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines
  }

  /** `json.load` of a whole file. */
  async json(path: string, options?: TextOptions): Promise<PyValue> {
    return parseJsonAt(await this.text(path, options), path)
  }

  /** `json.loads` of a text from this location. */
  parse(text: string, place: string): PyValue {
    return parseJsonAt(text, place)
  }

  /** The objects of a JSONL file. */
  async rows(path: string, options?: JsonLinesOptions): Promise<RowDict[]> {
    return (await this.values(path, options)).map(({ value, place }) => dictOf(value, place))
  }

  /** The JSON values of a JSONL file, with their locations. */
  async values(path: string, { blank = 'error', ...options }: JsonLinesOptions = {}): Promise<{ value: PyValue; place: string }[]> {
    const found: { value: PyValue; place: string }[] = []
    for (const [index, line] of (await this.lines(path, options)).entries()) {
      if (blank === 'skip' && strip(line) === '') continue
      const place = `${path}:${index + 1}`
      found.push({ value: parseJsonAt(line, place), place })
    }
    return found
  }

  /** The objects of a file that contains a JSON list. */
  async list(path: string, options?: TextOptions): Promise<RowDict[]> {
    const value = await this.json(path, options)
    if (!Array.isArray(value)) throw new BadData('the file is not a list', path)
    return value.map((item, index) => dictOf(item, `${path} › ${index}`))
  }

  /** The records of a CSV file as from Python's `csv.reader`: every value is a text, an empty line an empty record. */
  async csv(path: string, options: TextOptions & { delimiter?: ',' | '\t' | ';' } = {}): Promise<string[][]> {
    return csvRecords(await this.text(path, options), options.delimiter)
  }

  /** The records of a CSV file as from `csv.DictReader`. */
  async csvRows(path: string, options: TextOptions & { delimiter?: ',' | '\t' | ';' } = {}): Promise<RowDict[]> {
    return dictRecords(await this.csv(path, options), path)
  }

  /** All files below a folder, as from `os.walk`, sorted. */
  async walk(folder: string): Promise<string[]> {
    const found: string[] = []
    for (const name of await this.names(folder)) {
      const path = joinPath(folder, name)
      if (await this.isFolder(path)) found.push(...(await this.walk(path)))
      else found.push(path)
    }
    return found
  }
}

export function parseJsonAt(text: string, place: string): PyValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new BadData(text.trim() === '' ? 'there is no JSON here' : `this is not JSON: ${error.message}`, place)
  }
}

/** Whether `json.loads` accepts a text. */
export function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false
    throw error
  }
}

/**
 * The path that OpenCompass's `get_data_path` returns for a dataset's `path`: an id in its table maps to a folder
 * unless `localMode`; COMPASS_DATA_CACHE is the prefix; if nothing exists there, `~/.cache/opencompass` is tried.
 * What is missing there is downloaded if the files allow it.
 */
export async function dataPath(id: string, files: Files, { localMode = false } = {}): Promise<string> {
  if (id.startsWith('/')) return id
  const source = localMode ? undefined : dataSource(files)
  if (source !== undefined) {
    const repository = hubFolder(id, source)
    if (repository !== undefined) return repositoryFolder(repository, files)
    const text = `DATASET_SOURCE=${source} does not apply to ${id}, which OpenCompass does not read from this hub: its data folder is used`
    files.note?.({ code: 'dataset-source', where: id, text })
  }
  const local = localMode ? id : (localPaths[id] ?? id)
  const { COMPASS_DATA_CACHE: cache = '', HOME: home = '~' } = files.environment ?? {}
  const path = joinPath(cache, local)
  if (local !== '' && (await exists(path, files))) return path
  const fallback = joinPath(home, '.cache/opencompass', local)
  if (local !== '' && (await exists(fallback, files))) return fallback
  const [, archive, md5] = archives.findLast(([part]) => path.includes(part)) ?? []
  const isDownloaded = archive !== undefined && (await files.download?.({ name: archive, md5: md5! })) === true
  const unpacked = cache === '' ? fallback : path
  if (isDownloaded && (await exists(unpacked, files))) return unpacked
  const kept = isDownloaded
    ? `, and its archive ${archive}, which was downloaded, has no ${unpacked}`
    : archive && `; OpenCompass keeps it in its archive ${archive}`
  throw new MissingData(`nothing lies at ${path === '' ? 'its empty path' : path}${kept ?? ''}`, path)
}

async function repositoryFolder(repository: string, files: Files): Promise<string> {
  const folder = await files.repository?.(repository)
  if (folder !== undefined) return folder
  throw new MissingData(`the data is in ${repository}, which is not in the cache, and nothing is downloaded here`, repository)
}

async function exists(path: string, files: Files): Promise<boolean> {
  return (await files.kind(path)) !== undefined
}
