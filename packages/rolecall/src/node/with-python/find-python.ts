import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The Python that runs users' own code: the executable or environment that was named, else that of ROLECALL_PYTHON, else of the active
 * virtual or conda environment, else the `python3` on the path.
 */
export function findPython(named: string | undefined, environment: Environment = process.env): string {
  const [asked, where] = named === undefined ? [environment.ROLECALL_PYTHON, 'ROLECALL_PYTHON'] : [named, '--with-python']
  if (asked) return executableAt(asked, where)
  for (const root of [environment.VIRTUAL_ENV, environment.CONDA_PREFIX]) {
    const found = root ? executableIn(root) : undefined
    if (found !== undefined) return found
  }
  return process.platform === 'win32' ? 'python' : 'python3'
}

/** A command of the path stays as it is; a path may be an executable or an environment's folder. */
function executableAt(asked: string, where: string): string {
  if (!/[\\/]/.test(asked) && !existsSync(asked)) return asked
  const path = resolve(asked)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) return path
  const inside = found?.isDirectory() ? executableIn(path) : undefined
  if (inside !== undefined) return inside
  throw new PromptError('no-python', {
    where,
    problem: found === undefined ? `there is no file ${path}` : `${path} has no bin/python`,
    fix: `name a Python executable or the folder of an environment${where === '--with-python' ? '; a config goes before the flag, or write --with-python=PATH' : ''}`,
  })
}

function executableIn(root: string): string | undefined {
  return ['bin/python3', 'bin/python', 'Scripts/python.exe', 'python.exe'].map((path) => join(root, path)).find((path) => existsSync(path))
}
