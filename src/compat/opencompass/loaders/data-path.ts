import { MissingData } from './bad-data.ts'
import { archives, localPaths } from './data-paths.ts'
import type { Files } from './files.ts'
import { joinPath } from './files.ts'

/**
 * The path that OpenCompass's `get_data_path` returns for a dataset's `path`: an id in its table maps to a folder
 * unless `localMode`; COMPASS_DATA_CACHE is the prefix; if nothing exists there, `~/.cache/opencompass` is tried.
 * Nothing is downloaded.
 */
export async function dataPath(id: string, files: Files, { localMode = false } = {}): Promise<string> {
  if (id.startsWith('/')) return id
  const local = localMode ? id : (localPaths[id] ?? id)
  const { COMPASS_DATA_CACHE: cache = '', HOME: home = '~' } = files.environment ?? {}
  const path = joinPath(cache, local)
  if (local !== '' && (await exists(path, files))) return path
  const fallback = joinPath(home, '.cache/opencompass', local)
  if (local !== '' && (await exists(fallback, files))) return fallback
  const archive = archives.findLast(([part]) => path.includes(part))?.[1]
  throw new MissingData(
    `nothing lies at ${path === '' ? 'its empty path' : path}${archive ? `; OpenCompass keeps it in its archive ${archive}` : ''}`,
    path,
  )
}

export async function exists(path: string, files: Files): Promise<boolean> {
  return (await files.kind(path)) !== undefined
}
