import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { type ImportedConfig, type ImportOptions, importConfig } from '../../compat/opencompass/import/import-config.ts'
import { type ImportedSummarizer, importSummarizer } from '../../compat/opencompass/import/summarizer.ts'
import { modelTypes } from '../../model/model-types/index.ts'
import type { ModuleCache } from '../../python/interpreter/session.ts'
import { maxFileLength } from '../../python/syntax/parse-module.ts'
import { installedPackage } from '../installed-package.ts'
import { ownMarker } from '../own-classes.ts'
import { isInside, slashed } from '../platform.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { rootOf } from './import-root.ts'

export type ImportPythonOptions = Pick<ImportOptions, 'lenient' | 'cache' | 'limits' | 'hashes'> & {
  /** The folder that imports, relative or absolute, must stay in; defaults to `rootOf` the file. */
  root?: string
}

/** Reads a Python config from disk; only files under its root, and config files of an installed OpenCompass or AISBench, are opened. */
export function importPython(path: string, { root: given, ...options }: ImportPythonOptions = {}): ImportedConfig {
  const { file, read, installed } = openPython(path, given)
  registerScoringPlugIns()
  const own = { markOwn: ownMarker(resolve(path)) }
  const imported = withSearched(() =>
    importConfig(file, { ...options, ...own, read, readData, modelTypes: modelTypes.map(({ name }) => name) }),
  )
  const notes = [...installed].map(([folder, [first, ...others]]): Note => {
    const shown = others.length === 0 ? first : `${first} and ${others.length} more`
    return { code: 'installed-configs', where: path, text: `${shown}: config files of the installed ${basename(folder)} in ${folder}` }
  })
  return { ...imported, notes: [...notes, ...imported.notes] }
}

/** An error about a missing file of OpenCompass or AISBench also names the Python environments without it. */
function withSearched<Result>(action: () => Result): Result {
  try {
    return action()
  } catch (error) {
    const name =
      error instanceof PromptError && error.code === 'no-file' ? packageOf(error.problem.slice('there is no '.length)) : undefined
    if (!(error instanceof PromptError) || name === undefined) throw error
    const { folder, searched } = installedPackage(name)
    const found = folder === undefined ? `there is no ${name} in ${searched}` : `the installed ${name} in ${folder} does not have it`
    throw new PromptError(error.code, { where: error.where, problem: error.problem, fix: `${error.fix} (${found})` })
  }
}

function packageOf(path: string): string | undefined {
  return /^(opencompass|ais_bench)\//.exec(path)?.[1]
}

/** Reads the summarizer of a Python file from disk: that of this name, or all its groups. */
export function importPythonSummarizer(
  path: string,
  datasets: ReadonlySet<unknown>,
  { key, cache }: { key?: string; cache?: ModuleCache } = {},
): ImportedSummarizer {
  const { file, read } = openPython(path)
  return importSummarizer(file, { read, ...(cache ? { cache } : {}) }, datasets, key)
}

type OpenedPython = {
  /** The path from the root. */
  file: string
  /** Reads files below the root; missing files are read from an installed OpenCompass or AISBench. */
  read: ImportOptions['read']
  /** The files that were read from installed packages, by their folders. */
  installed: ReadonlyMap<string, readonly string[]>
}

function openPython(path: string, given?: string): OpenedPython {
  const file = resolve(path)
  const root = resolve(given ?? rootOf(file))
  const inside = relative(root, file)
  if (!isInside(file, root))
    throw new PromptError('outside-root', {
      where: path,
      problem: `the file is outside the root ${root}`,
      fix: 'pass a folder above it with --root',
    })
  const [read, installed] = [reader(root), new Map<string, string[]>()]
  return { file: slashed(inside), installed, read: (one) => read(one) ?? readInstalled(one, installed) }
}

function readInstalled(path: string, installed: Map<string, string[]>): string | undefined {
  const name = packageOf(path)
  const folder = name === undefined ? undefined : installedPackage(name).folder
  const text = folder === undefined ? undefined : reader(dirname(folder))(path)
  if (folder !== undefined && text !== undefined) installed.set(folder, [...(installed.get(folder) ?? []), path])
  return text
}

/** The first row of a data file, and descriptions of it, are at its beginning. */
const mostOfData = 1 << 20

/** Reads the beginning of a data file: from the working folder, as in OpenCompass, or where the loader looks for it. */
export function readData(path: string): string | undefined {
  const { COMPASS_DATA_CACHE: cache = '', HOME: home = '~' } = process.env
  const found = [path, join(cache, path), join(home, '.cache/opencompass', path)].find((place) => existsSync(place))
  if (found === undefined || !statSync(found).isFile()) return undefined
  const file = openSync(found, 'r')
  try {
    const bytes = Buffer.alloc(mostOfData)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, mostOfData, 0))
  } finally {
    closeSync(file)
  }
}

/** Reads files inside the root only; symlinks that leave it are refused. */
function reader(root: string): (path: string) => string | undefined {
  const real = existsSync(root) ? realpathSync(root) : root
  return (path) => {
    const file = resolve(root, path)
    if (!existsSync(file)) return undefined
    const target = realpathSync(file)
    if (!isInside(target, real))
      throw new PromptError('outside-root', {
        where: path,
        problem: `this is a link to ${target}, outside the root`,
        fix: 'copy the file into the root',
      })
    const found = statSync(target)
    if (!found.isFile()) return undefined
    if (found.size > maxFileLength * 4)
      throw new PromptError('import-limit', {
        where: path,
        problem: 'the file is larger than 32 MiB',
        fix: 'import the config, not the data',
      })
    return readFileSync(target, 'utf8')
  }
}
