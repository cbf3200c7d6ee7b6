import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import { readWholeText } from '../read-whole-file.ts'
import { staysInside } from '../stays-inside.ts'
import type { HubSource } from './hub-site.ts'

const pathInRepository = z.string().refine(staysInside)

const lockSchema = z.object({
  version: z.literal(1),
  repositories: z.record(z.string(), z.object({ commit: z.string().refine(staysInside), files: z.record(pathInRepository, z.string()) })),
})

/** The commits and file hashes that a config uses: `rolecall.lock`. */
export type HubLock = z.infer<typeof lockSchema>

export const lockName = 'rolecall.lock'

/** The lock beside a config; undefined if there is none. */
export function readHubLock(folder: string): HubLock | undefined {
  const file = resolve(folder, lockName)
  if (!existsSync(file)) return undefined
  try {
    return lockSchema.parse(JSON.parse(readWholeText(file)))
  } catch {
    throw new PromptError('bad-lock', {
      where: file,
      problem: 'this is not a lock file of this version',
      fix: 'write it again with `rolecall hub lock CONFIG`, or delete it',
    })
  }
}

/** Writes the lock of these sources, in the order of their names. */
export function writeHubLock(folder: string, sources: readonly HubSource[]): string {
  const entries = sources.map(({ repository, commit, files }) => [repository, { commit, files: sorted(Object.entries(files)) }] as const)
  const file = join(folder, lockName)
  writeFileSync(file, `${JSON.stringify({ version: 1, repositories: sorted(entries) } satisfies HubLock, null, 2)}\n`)
  return file
}

function sorted<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `--frozen`, which the command line passes on in this variable. */
export function isFrozen(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment.ROLECALL_FROZEN === '1'
}

export function notLocked(repository: string): PromptError {
  return new PromptError('hub-frozen', {
    where: repository,
    problem: `--frozen allows only what ${lockName} lists, and this repository is not in it`,
    fix: 'run `rolecall hub lock CONFIG`, and commit the file',
  })
}
