import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isInside } from '../platform.ts'

/**
 * The import root of a config: the folder above the topmost `configs` folder (above its package, if it is in one), else the working
 * folder if the file is in it, else the file's own folder.
 */
export function rootOf(file: string): string {
  let found: string | undefined
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder))
    if (basename(folder) === 'configs') found = dirname(folder)
  if (found !== undefined)
    return existsSync(resolve(found, '__init__.py')) || ['opencompass', 'benchmark'].includes(basename(found)) ? packageRoot(found) : found
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(resolve(folder, 'opencompass/configs')) || existsSync(resolve(folder, 'ais_bench/benchmark/configs'))) return folder
  return isInside(file, process.cwd()) ? process.cwd() : dirname(file)
}

/** The folder above a package, where `opencompass.configs…` resolves. */
function packageRoot(folder: string): string {
  let top = folder
  while (existsSync(resolve(dirname(top), '__init__.py'))) top = dirname(top)
  if (basename(top) === 'benchmark') top = dirname(top)
  return dirname(top)
}
