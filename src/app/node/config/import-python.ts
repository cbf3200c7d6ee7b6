import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { maxFileLength } from '../../../base/python/syntax/parse-module.ts'
import { type ImportedConfig, type ImportOptions, importConfig } from '../../../compat/opencompass/import/import-config.ts'
import { modelTypes } from '../../../model/model-types/index.ts'

export type ImportPythonOptions = Pick<ImportOptions, 'lenient' | 'cache' | 'limits' | 'hashes'> & {
  /** The folder that relative and absolute imports may reach; by default `rootOf` the file. */
  root?: string
}

/** Reads a Python config from disk; only files of its root are looked at. */
export function importPython(path: string, { root: given, ...options }: ImportPythonOptions = {}): ImportedConfig {
  const file = resolve(path)
  const root = resolve(given ?? rootOf(file))
  const inside = relative(root, file)
  if (inside.startsWith('..') || resolve(root, inside) !== file)
    throw new PromptError('outside-root', {
      where: path,
      problem: `it lies outside the root ${root}`,
      fix: 'name a folder above it with --root',
    })
  return importConfig(inside.split(sep).join('/'), { ...options, read: reader(root), modelTypes: modelTypes.map(({ name }) => name) })
}

/**
 * Where a config's imports may lead: the folder above the topmost `configs` folder (above the package of that name it belongs to), else
 * this folder, if the file lies in it, else the file's own.
 */
export function rootOf(file: string): string {
  let found: string | undefined
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder))
    if (basename(folder) === 'configs') found = dirname(folder)
  if (found !== undefined)
    return existsSync(resolve(found, '__init__.py')) || ['opencompass', 'benchmark'].includes(basename(found)) ? packageRoot(found) : found
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(resolve(folder, 'opencompass/configs')) || existsSync(resolve(folder, 'ais_bench/benchmark/configs'))) return folder
  const inHere = relative(process.cwd(), file)
  return inHere.startsWith('..') || resolve(inHere) !== file ? dirname(file) : process.cwd()
}

/** The folder above a package, from which `opencompass.configs…` is found. */
function packageRoot(folder: string): string {
  let top = folder
  while (existsSync(resolve(dirname(top), '__init__.py'))) top = dirname(top)
  if (basename(top) === 'benchmark') top = dirname(top)
  return dirname(top)
}

/** Reads inside the root only, also where a link leads out of it. */
function reader(root: string): (path: string) => string | undefined {
  const real = existsSync(root) ? realpathSync(root) : root
  return (path) => {
    const file = resolve(root, path)
    if (!existsSync(file)) return undefined
    const target = realpathSync(file)
    if (target !== real && !target.startsWith(real.endsWith(sep) ? real : real + sep))
      throw new PromptError('outside-root', {
        where: path,
        problem: `it is a link to ${target}, outside the root`,
        fix: 'copy the file into the root',
      })
    const found = statSync(target)
    if (!found.isFile()) return undefined
    if (found.size > maxFileLength * 4)
      throw new PromptError('import-limit', {
        where: path,
        problem: 'the file has more than 32 MiB',
        fix: 'import the config, not the data',
      })
    return readFileSync(target, 'utf8')
  }
}
