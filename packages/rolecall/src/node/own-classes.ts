import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { compareCodePoints } from '@rolecall/core/internal/python'
import type { ImportedEntry } from '../compat/opencompass/import/imported-entry.ts'
import { checkoutHint, loaderNamed } from '../compat/opencompass/loaders/index.ts'
import { Data } from '../compat/opencompass/loaders/loader-data.ts'
import { InterpreterHost, type InterpreterSources } from '../compat/own-python/interpreter-host.ts'
import { type FindOwn, markOwn, namesFile } from '../compat/own-python/mark-own.ts'
import { setOwnPythonHosts } from '../compat/own-python/own-object.ts'
import { loadDataset } from '../compat/own-python/requested-rows.ts'
import { evaluatorNamed } from '../evaluation/score/evaluate/evaluators.ts'
import { judgePostprocessors } from '../evaluation/score/postprocess/judge-postprocessors.ts'
import { postprocessors } from '../evaluation/score/postprocess/postprocessors.ts'
import { chosenPythonHost } from '../python/host/current-host.ts'
import { PythonFailure, type PythonKind, type PythonObject, type Sooner } from '../python/host/python-host.ts'
import type { DataFiles } from '../python/interpreter/package-program.ts'
import { sha256 } from '../python/library/sha256.ts'
import { rootOf } from './config/import-root.ts'
import { installedPackage } from './installed-package.ts'
import { isInside, slashed } from './platform.ts'
import { readWholeFile, readWholeText } from './read-whole-file.ts'
import { dataDownloads } from './rows/data-downloads.ts'

let chosenCheckout: string | undefined

/** Says which checkout of OpenCompass has the code of its classes (`--opencompass DIR`). */
export function chooseCheckout(folder: string | undefined): void {
  chosenCheckout = folder === undefined ? undefined : resolve(folder)
  hosts.clear()
}

/** The folder of OpenCompass's source: as given, of OPENCOMPASS_DIR, around a folder, or installed in the active Python environment. */
export function findCheckout(folder: string): string | undefined {
  const given = chosenCheckout ?? process.env.OPENCOMPASS_DIR
  if (given) return isCheckout(given) ? resolve(given) : undefined
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (isCheckout(current)) return current
    if (dirname(current) === current) break
  }
  const { folder: installed } = installedPackage('opencompass')
  return installed === undefined ? undefined : dirname(installed)
}

function isCheckout(folder: string): boolean {
  return existsSync(join(folder, 'opencompass', 'registry.py'))
}

const hosts = new Map<string, InterpreterHost>()

/** The interpreter for the code of a folder and of the checkout. */
export function interpreterFor(folder: string): InterpreterHost {
  const key = `${resolve(folder)}\0${findCheckout(folder) ?? ''}`
  const host = hosts.get(key) ?? new InterpreterHost(sourcesOf(resolve(folder)))
  hosts.set(key, host)
  return host
}

setOwnPythonHosts(interpreterFor)

/** The largest file of data that code reads: it is held in memory as a whole. */
const mostData = 1 << 30

/** The most files of a folder that are searched for registered names. */
const mostFiles = 5_000

function sourcesOf(folder: string): InterpreterSources {
  const checkout = findCheckout(folder)
  // As on Python's path: the folder of the config, those around it up to the working folder, then the checkout.
  const roots = [...foldersUpTo(folder, importRoot(folder)), ...(checkout === undefined ? [] : [checkout])]
  const read = (path: string) => roots.map((root) => textIn(root, path)).find((text) => text !== undefined)
  const data = confined(folder, checkout)
  return {
    read,
    *codeFiles() {
      yield* pythonFiles(folder, folder, 1)
      if (checkout !== undefined) yield* pythonFiles(join(checkout, 'opencompass'), checkout, 12)
    },
    data,
    ...(checkout === undefined ? { hint: checkoutHint } : {}),
    environment: new Map(
      ['COMPASS_DATA_CACHE', 'DATASET_SOURCE', 'HOME'].flatMap((name) => {
        const value = process.env[name]
        return value === undefined ? [] : [[name, value] as const]
      }),
    ),
    loadDataset: (request) => loadDataset(new Data(asFiles(data, folder)), request),
    download: async (archive) => (await asFiles(data, folder).download?.(archive)) === true,
  }
}

/** The folder from which the files of a config are named. */
function importRoot(folder: string): string {
  return rootOf(join(folder, 'config.py'))
}

function foldersUpTo(folder: string, top: string): string[] {
  const folders = [folder]
  if (isInside(folder, top)) for (let current = folder; current !== top; current = dirname(current)) folders.push(dirname(current))
  return folders
}

/** The text of a file below a root; links that leave it are not followed. */
function textIn(root: string, path: string): string | undefined {
  const file = resolve(root, path)
  if (!existsSync(file)) return undefined
  const target = realpathSync(file)
  return isInside(target, realpathSync(root)) && statSync(target).isFile() ? readWholeText(target) : undefined
}

/** The Python files below a folder, by their paths from a root; users' own lie beside the config or one folder below. */
function* pythonFiles(folder: string, root: string, depth: number): Iterable<string> {
  const left = { files: mostFiles }
  yield* filesIn(folder, root, depth, left)
}

function* filesIn(folder: string, root: string, depth: number, left: { files: number }): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((one, other) => compareCodePoints(one.name, other.name))) {
    if (left.files <= 0) return
    const path = join(folder, entry.name)
    const isSkipped = entry.name.startsWith('.') || ['configs', 'node_modules', '__pycache__', 'outputs'].includes(entry.name)
    if (entry.isDirectory() && depth > 0 && !isSkipped) yield* filesIn(path, root, depth - 1, left)
    else if (entry.isFile() && entry.name.endsWith('.py')) {
      left.files--
      yield slashed(relative(root, path))
    }
  }
}

/** The data that code may read: below the working folder, the config's folder, the checkout and the caches of OpenCompass's data. */
function confined(folder: string, checkout: string | undefined): DataFiles {
  const cache = process.env.COMPASS_DATA_CACHE
  const allowed = [process.cwd(), folder, checkout, cache, join(homedir(), '.cache', 'opencompass')].flatMap((root) =>
    root && existsSync(root) ? [realpathSync(root)] : [],
  )
  const place = (path: string) => {
    const candidates = [process.cwd(), folder, ...(checkout === undefined ? [] : [checkout])].map((root) => resolve(root, path))
    const found = candidates.find((candidate) => existsSync(candidate))
    if (found === undefined) return undefined
    const target = realpathSync(found)
    // Hidden files of a folder, such as .env and .ssh, are no data.
    return allowed.some((root) => isInside(target, root) && !isHidden(relative(root, target))) ? target : undefined
  }
  return {
    kind(path) {
      const target = place(path)
      if (target === undefined) return undefined
      const found = statSync(target)
      if (found.isDirectory()) return 'folder'
      return found.isFile() && !path.endsWith('/') ? 'file' : undefined
    },
    bytes(path) {
      const target = place(path)
      return target !== undefined && statSync(target).isFile() ? readWholeFile(target, mostData) : undefined
    },
    names(path) {
      const target = place(path)
      return target !== undefined && statSync(target).isDirectory()
        ? readdirSync(target)
            .filter((name) => !isHidden(name))
            .sort(compareCodePoints)
        : undefined
    },
  }
}

function isHidden(path: string): boolean {
  return slashed(path)
    .split('/')
    .some((part) => part.startsWith('.') && part !== '.')
}

/** The same files for `load_dataset`, with the rows of hubs. */
function asFiles(data: DataFiles, folder: string): Data['files'] {
  return {
    ...dataDownloads.for(folder),
    environment: process.env,
    bytes: async (path) => data.bytes(path),
    names: async (path) => data.names(path),
    kind: async (path) => data.kind(path),
  }
}

/** Marks the own classes and functions of a dataset for the host that runs them. `file`: the config that names them. */
export function ownMarker(file: string): (dataset: ImportedEntry) => ImportedEntry {
  const find = finder(dirname(resolve(file)), basename(file))
  return (dataset) => markOwn(dataset, find)
}

/** The same for a config in JSON, YAML or TypeScript. */
export function withOwnPython(config: unknown, file: string): unknown {
  if (typeof config !== 'object' || config === null || !('datasets' in config) || !Array.isArray(config.datasets)) return config
  const mark = ownMarker(file)
  const isEntry = (entry: unknown): entry is ImportedEntry => typeof entry === 'object' && entry !== null && !Array.isArray(entry)
  return { ...config, datasets: config.datasets.map((entry: unknown) => (isEntry(entry) ? mark(entry) : entry)) }
}

const isOurs: Readonly<Record<PythonKind, (type: string) => boolean>> = {
  dataset: (type) => loaderNamed(type) !== undefined,
  evaluator: (type) => evaluatorNamed(type) !== undefined,
  postprocessor: (type) => postprocessors.has(type.slice(type.lastIndexOf('.') + 1)),
  dict_postprocessor: (type) => [judgePostprocessors, postprocessors].some((known) => known.has(type.slice(type.lastIndexOf('.') + 1))),
  function: () => false,
}

function finder(folder: string, from: string): FindOwn {
  return (type, kind) => {
    const isOwnFile = /\.py:\w+$/.test(type) || (namesFile(type) && !/^(?:opencompass|ais_bench)\./.test(type))
    if (!isOwnFile && isOurs[kind](type)) return undefined
    const chosen = chosenPythonHost()
    const host = interpreterFor(folder)
    // AISBench's classes of this name are OpenCompass's.
    const name = /^ais_bench\./.test(type) && kind === 'dataset' ? type.slice(type.lastIndexOf('.') + 1) : type
    try {
      const object = (chosen ?? host).load({ kind, name, from })
      const code = chosen === undefined ? host.codeRead() : definingFile(object)
      return { object: name, folder, from, code: hashOf(code) }
    } catch (error) {
      if (!(error instanceof PythonFailure)) throw error
      // What it needs is told when the dataset is prepared: a file that was named, or a package that its code imports.
      const isThere = error.reason !== 'missing' || error.exception === 'ModuleNotFoundError' || /\.py:\w+$/.test(type)
      return isThere ? { object: type, folder, from } : undefined
    }
  }
}

/** The file that defines an object of another host, for its hash. */
function definingFile(object: Sooner<PythonObject>): ReadonlyMap<string, string> {
  const file = object instanceof Promise ? '' : object.file
  return new Map(existsSync(file) ? [[file, readWholeText(file)]] : [])
}

function hashOf(files: ReadonlyMap<string, string>): string {
  const text = [...files].sort(([one], [other]) => compareCodePoints(one, other)).map(([path, content]) => `${path}\0${content}`)
  return sha256(new TextEncoder().encode(text.join('\0'))).slice(0, 16)
}
