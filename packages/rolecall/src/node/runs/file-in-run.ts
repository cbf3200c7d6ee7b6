import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { readWholeText } from '../read-whole-file.ts'

/** The path of a file in a run folder. Names from `run.json` and those of `runFiles` become paths here and nowhere else. */
export function fileInRun(folder: string, name: string): string {
  return join(folder, name)
}

/** Whether a run folder has a file. */
export function isInRun(folder: string, name: string): boolean {
  return existsSync(fileInRun(folder, name))
}

/** A file of a run folder as text; undefined if it does not exist. */
export function textInRun(folder: string, name: string): string | undefined {
  return isInRun(folder, name) ? readWholeText(fileInRun(folder, name)) : undefined
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
