import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { isInRun, textInRun } from './file-in-run.ts'
import { keptFolder, privateFolder } from './private-folder.ts'
import { type RunInfo, runFiles } from './run-layout.ts'

// A run folder may come from anywhere. What it names on this machine, its config above all, which may be a program, is used without asking
// only if the run was started here: such runs have a mark that only this user can make.

type Marked = Pick<RunInfo, 'started' | 'config' | 'folder'>

/** The mark of a run of this user, for its config as it is on disk; undefined if there is no place for a key. */
export function markOfRun(folder: string, { started, config, folder: home }: Marked): string | undefined {
  const key = userKey()
  const written = (isInRun(folder, runFiles.config) ? textInRun(folder, runFiles.config) : undefined) ?? ''
  const text = JSON.stringify([started, config ?? null, home, createHash('sha256').update(written).digest('hex')])
  return key && createHmac('sha256', key).update(text).digest('hex')
}

/** Whether this user has started the run, and its config is as it was written then. */
export function isOwnRun(folder: string, info: Marked & { own?: string | undefined }): boolean {
  const mark = info.own === undefined ? undefined : markOfRun(folder, info)
  const [said, made] = [Buffer.from(info.own ?? ''), Buffer.from(mark ?? '')]
  return made.length > 0 && said.length === made.length && timingSafeEqual(said, made)
}

function userKey(): Buffer | undefined {
  try {
    const file = join(privateFolder(keptFolder('own')), 'key')
    try {
      writeFileSync(file, randomBytes(32), { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const key = readFileSync(file)
    // Another process may be writing it.
    return key.length === 32 ? key : undefined
  } catch (error) {
    if (error instanceof PromptError || (error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  }
}
