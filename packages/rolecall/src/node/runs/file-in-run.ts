import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { isInside } from '../platform.ts'
import { readWholeText } from '../read-whole-file.ts'
import { staysInside } from '../stays-inside.ts'

/** The path of a file in a run folder. Names from `run.json` and those of `runFiles` become paths here and nowhere else. */
export function fileInRun(folder: string, name: string): string {
  if (!staysInside(name)) throw outside(folder, `it names ${name}, which leads out of the folder`)
  return join(folder, name)
}

/** A run folder may come from anywhere: a link in it must not lead out of it. */
function readInside(folder: string, name: string): string {
  const path = fileInRun(folder, name)
  if (!isInside(realpathSync(path), realpathSync(folder))) throw outside(folder, `${name} is a link that leads out of the folder`)
  return readWholeText(path)
}

function outside(where: string, problem: string): PromptError {
  return new PromptError('outside-run', { where, problem, fix: 'put the file itself into the folder of the run, or restore the run' })
}

/** Whether a run folder has a file. */
export function isInRun(folder: string, name: string): boolean {
  return existsSync(fileInRun(folder, name))
}

/** A file of a run folder as text; undefined if it does not exist. */
export function textInRun(folder: string, name: string): string | undefined {
  return isInRun(folder, name) ? readInside(folder, name) : undefined
}

/** A file of a run folder as JSON; undefined if it does not exist. `fix` is the remedy if it is damaged. */
export function jsonInRun(folder: string, name: string, fix: string): unknown {
  const text = textInRun(folder, name)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw damagedFile(folder, name, fix)
  }
}

/** The error for a file of a run that is missing or not JSON: a crash, an editor or a full disk left it so. */
export function damagedFile(folder: string, name: string, fix: string): PromptError {
  const problem = isInRun(folder, name) ? 'this is not valid JSON: the file is damaged, or still being written' : 'the file is missing'
  return new PromptError('bad-run', { where: fileInRun(folder, name), problem, fix })
}
