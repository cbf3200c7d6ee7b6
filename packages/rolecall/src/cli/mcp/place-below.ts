import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'

/** Modules are executed when they are read; an agent's tools execute nothing. */
const executed = /\.(?:[cm]?[jt]sx?|py)$/i

/** The real path of a file or folder of the working folder. Links that leave it, and files that would be executed, are refused. */
export function placeBelow(place: string, folder: string, where: string): string {
  const root = realpathSync(folder)
  const wanted = resolve(root, place)
  const real = realPath(wanted)
  const inside = relative(root, real ?? wanted)
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new PromptError('outside', {
      where,
      problem: `${place} is not in the working folder`,
      fix: 'start rolecall mcp in a folder that contains it',
    })
  if (real === undefined)
    throw new PromptError('no-file', { where, problem: `there is no ${place}`, fix: 'check the path, which starts at the working folder' })
  if (executed.test(real))
    throw new PromptError('unsupported', {
      where,
      problem: `${place} would be executed to be read`,
      fix: 'use a template, a JSON or a YAML file, or run the command yourself',
    })
  return real
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
