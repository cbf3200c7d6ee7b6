import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { usesNamedPipes } from '../../platform.ts'
import { fileInRun, textInRun } from '../file-in-run.ts'
import { runFiles } from '../run-layout.ts'

/** The longest path of a socket in bytes: 108 on Linux, 104 on macOS, both with a final zero. */
const longestPath = 103

/** The socket of a run in its folder, or its named pipe on Windows; undefined if the path is too long. */
export function ownAddress(folder: string, platform?: NodeJS.Platform): string | undefined {
  if (usesNamedPipes(platform))
    return `\\\\.\\pipe\\rolecall-${createHash('sha256').update(realpathSync.native(folder)).digest('hex').slice(0, 32)}`
  const path = fileInRun(folder, runFiles.control)
  return Buffer.byteLength(path) > longestPath ? undefined : path
}

/** A socket in a new folder that only this user can enter. */
export function temporaryAddress(): string {
  return join(mkdtempSync(join(tmpdir(), 'rolecall-')), runFiles.control)
}

/** The path of a temporary socket that a run recorded in its folder. */
export function recordedAddress(folder: string): string | undefined {
  try {
    const path = textInRun(folder, runFiles.controlPath) ?? ''
    // Run folders are passed around: only paths that `temporaryAddress` makes are used.
    return /^[/].*[/]rolecall-\w{6}[/]control\.sock$/.test(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** Removes the sockets of a run: its own at the end, or those that a killed process left. */
export function removeSockets(folder: string): void {
  if (usesNamedPipes()) return
  const recorded = recordedAddress(folder)
  for (const path of [fileInRun(folder, runFiles.control), ...(recorded === undefined ? [] : [recorded])])
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true })
  rmSync(fileInRun(folder, runFiles.controlPath), { force: true })
  if (recorded === undefined) return
  try {
    rmdirSync(dirname(recorded))
  } catch {
    // Already removed, or it contains other files.
  }
}
