import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import { isPlainEntry, kindOfEntry } from '../regular-file.ts'
import { staysInside } from '../stays-inside.ts'

// A run folder may come from anywhere: an archive, a shared disk, a download. What it names and contains must not lead out of it.

/** The schema of a path in a run's folder, as its files name it. */
export const pathInRun = z
  .string()
  .refine(staysInside, { error: 'this leads out of the run: write a path inside its folder, without ".."' })

/** Nobody's run has more, and a folder of somebody else may take for ever to list. */
const mostEntries = 1_000_000

/** The socket of a run in progress. */
const sockets: ReadonlySet<string> = new Set(['control.sock'])

/**
 * Refuses links, pipes and devices among the files that a run reads and writes: those that begin with one of these names. A link leads
 * anywhere; a pipe blocks whoever opens it, and a device may not end.
 */
export function refuseLinks(folder: string, names: ReadonlySet<string>): void {
  let entries = 0
  const visit = (path: string, found: Dirent) => {
    if (entries++ > mostEntries) throw unusable(path, 'the folder has too many files', 'move everything away that is not part of the run')
    if (!isPlainEntry(found) && !(found.isSocket() && sockets.has(path.slice(folder.length + 1))))
      throw unusable(path, `this is ${kindOfEntry(found)}: a run consists of regular files and folders`, 'replace it by the file itself')
    if (found.isDirectory()) for (const entry of readdirSync(path, { withFileTypes: true })) visit(join(path, entry.name), entry)
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Temporary files and locks are named after the file they are for.
    if (names.has(entry.name) || names.has(entry.name.split('.').slice(0, 2).join('.'))) visit(join(folder, entry.name), entry)
  }
}

function unusable(where: string, problem: string, fix: string): PromptError {
  return new PromptError('outside-run', { where, problem, fix })
}
