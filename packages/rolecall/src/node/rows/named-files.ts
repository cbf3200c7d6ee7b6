import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Unfit } from '../../evaluation/dataset/row-formats/row-format.ts'
import { isInside } from '../platform.ts'
import { keptFolder } from '../runs/private-folder.ts'

// Which files of this machine rows may name. Rows are data from anywhere, and what they name is sent to a model's server: this is the one
// place that decides, whatever format the rows and their parts are in.

/** Where the rows of a dataset may name files. */
export type RowFiles = {
  /** What relative paths are relative to; the first that has the file counts. */
  bases: readonly string[]
  /** The folders below which files may be named, as real paths. */
  allowed: readonly string[]
}

/** The folders of the datasets that this process has opened. */
const opened = new Set<string>()

/** The files that rows may name: those below the folders of their data files, and below the `media_root` of the config. */
export function openRowFiles(
  dataFiles: readonly string[],
  { folder, root = [] }: { folder: string; root?: string | readonly string[] | undefined },
): RowFiles {
  const roots = [root].flat().map((path) => resolve(folder, path))
  const files = allowFolders([...(dataFiles.length === 0 ? [folder] : dataFiles.map((file) => dirname(resolve(folder, file)))), ...roots])
  return { bases: [...roots, folder], allowed: files }
}

/** Allows the files below these folders; returns their real paths. */
export function allowFolders(folders: readonly string[]): string[] {
  const real = [...new Set(folders)].filter((path) => existsSync(path)).map((path) => realpathSync(path))
  for (const path of real) opened.add(path)
  return real
}

/**
 * Throws unless the rows of some dataset may name the file, or it was kept in the cache while rows were read. `real`: where the file that was
 * opened is; the path may lead elsewhere by now.
 */
export function refuseUnlessAllowed(path: string, real: string): void {
  if (isBelow(real, [...opened])) return
  throw new PromptError('row-names-file', { where: path, ...outside(path, '/') })
}

/** The file that a row names by a path or a URL; what is wrong if it may not, undefined if there is none. */
export function fileNamed(text: string, { bases, allowed }: RowFiles): { path: string } | Unfit | undefined {
  if (text.length >= 4096 || text.includes('\0')) return undefined
  const path = pathIn(text)
  if (path === undefined) return undefined
  const places = isAbsolute(path) ? [path] : bases.map((base) => resolve(base, path))
  // Base64 may be longer than a name can be.
  const found = places.filter((file) => existsSync(file) && statSync(file).isFile())
  const allowedFile = found.find((file) => isBelow(file, allowed))
  if (allowedFile !== undefined) return { path: allowedFile }
  return found[0] === undefined ? undefined : outside(found[0], bases.at(-1) ?? '.')
}

/** Media that a data file contains are kept in the cache. */
function isBelow(path: string, folders: readonly string[]): boolean {
  const [real, kept] = [realpathSync(path), keptFolder('media')]
  return [...folders, ...(existsSync(kept) ? [realpathSync(kept)] : [])].some((folder) => isInside(real, folder))
}

/** AISBench writes `file://` before paths that are relative. */
function pathIn(text: string): string | undefined {
  const [url] = text.split('#sha256=')
  if (!/^file:/i.test(text)) return text
  try {
    return fileURLToPath(url!)
  } catch {
    return /^file:\/\/[^/]/i.test(text) ? url!.slice('file://'.length) : undefined
  }
}

function outside(path: string, folder: string): Unfit {
  const real = dirname(realpathSync(path))
  const short = relative(folder, real)
  return {
    problem: `it names the file ${path}, which is neither below the folder of its data file nor below media_root${real === dirname(path) ? '' : ` (it leads to ${real})`}`,
    fix: `if the rows may name files there, add to the dataset: media_root: ${short === '' ? '.' : short.startsWith('..') ? real : short}`,
  }
}
