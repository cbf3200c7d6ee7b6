import type { Note } from '@rolecall/core/internal/errors'

/** Where loaders read from: the file system in Node, files dropped into the page in a browser, literals in tests. */
export type Files = {
  /** The bytes of a file; undefined if it does not exist. */
  bytes(path: string): Promise<Uint8Array | undefined>
  /** The bytes of a file that a row names; throws if rows may not name it. Rows are data from anywhere, and what they name is sent to a server. */
  named?(path: string): Promise<Uint8Array | undefined>
  /** The names in a folder, sorted by code point; undefined if it does not exist. */
  names(path: string): Promise<readonly string[] | undefined>
  /** The kind of entry at a path; a file name with a trailing slash does not exist. */
  kind(path: string): Promise<'file' | 'folder' | undefined>
  /** Environment variables that OpenCompass reads: COMPASS_DATA_CACHE, DATASET_SOURCE and HOME. */
  environment?: Readonly<Record<string, string | undefined>>
  /** Downloads and unpacks an archive of OpenCompass's data; false if that is not allowed. Without it, nothing is downloaded. */
  download?(archive: DataArchive): Promise<boolean>
  /** The folder with the data of a repository on the Hugging Face hub; undefined if there is none, or downloads are not allowed. */
  repository?(id: string): Promise<string | undefined>
  /** The local files of one split of a dataset on a hub, `hf://ORG/NAME` or `ms://ORG/NAME`. Without it, nothing is downloaded. */
  split?(repository: string, part: { config?: string; split: string }): Promise<readonly string[]>
  /** Receives what was assumed. */
  note?(note: Note): void
  /** The tokenizer of a model, such as gpt-4 or the path of a folder; undefined if there is none. */
  tokenizer?(model: string): Promise<LoaderTokenizer | undefined>
  /** The state of Python's `random` where a class draws without a seed; 0 by default. */
  seed?: number
}

/** How a loader cuts texts by tokens. */
export type LoaderTokenizer = { encode(text: string): number[]; decode(ids: readonly number[]): string }

/** An archive of OpenCompass's data: its file name and hash. */
export type DataArchive = { name: string; md5: string }

/** Files given as literals: path → text or bytes. */
export function filesOf(contents: Readonly<Record<string, string | Uint8Array>>, environment: Files['environment'] = {}): Files {
  const files = new Map(Object.entries(contents).map(([path, content]) => [normalPath(path), content]))
  return {
    environment,
    async kind(path) {
      const place = normalPath(path)
      if (files.has(place) && !path.endsWith('/')) return 'file'
      return [...files.keys()].some((file) => file.startsWith(place === '' ? '' : `${place}/`)) ? 'folder' : undefined
    },
    async bytes(path) {
      const content = files.get(normalPath(path))
      return typeof content === 'string' ? new TextEncoder().encode(content) : content
    },
    async names(path) {
      const folder = normalPath(path)
      const start = folder === '' ? '' : `${folder}/`
      const names = [...files.keys()].filter((file) => file.startsWith(start)).map((file) => file.slice(start.length).split('/')[0]!)
      return names.length > 0 ? [...new Set(names)].sort() : undefined
    },
  }
}

/**
 * A path without `.`, `..` and repeated slashes.
 * @example normalPath('./data//mmlu/../arc/') // => 'data/arc'
 */
export function normalPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/')
}

/**
 * Python's `os.path.join`.
 * @example joinPath('data/', 'dev', 'a.csv') // => 'data/dev/a.csv'
 * @example joinPath('data', '/absolute') // => '/absolute'
 */
export function joinPath(first: string, ...rest: string[]): string {
  return rest.reduce((path, part) => {
    if (part.startsWith('/')) return part
    return path === '' || path.endsWith('/') ? path + part : `${path}/${part}`
  }, first)
}
