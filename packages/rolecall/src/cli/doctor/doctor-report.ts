import { type Dirent, readdirSync, statfsSync, statSync } from 'node:fs'
import { availableParallelism, cpus, freemem, homedir, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findConfig } from '../../node/config/load-config.ts'
import { ownVersion, packageFile } from '../../node/own-files.ts'
import { peerGroups, peerVersion } from '../../node/peers.ts'
import { isInside } from '../../node/platform.ts'
import { cacheFolder } from '../../node/runs/private-folder.ts'
import { type HubState, lookAtHub } from './hub-state.ts'

/** The facts that a bug report needs, without secrets: of environment variables only the names. */
export type DoctorReport = {
  rolecall: { version: string; folder: string; config: string | null }
  machine: {
    node: string
    platform: string
    cores: number
    processor: string
    /** In bytes. */
    memory: { total: number; free: number; limit: number | null }
    /** Free bytes where results would be written. */
    disk: number | null
    terminal: string
  }
  peers: { feature: string; versions: Record<string, string | null>; install: string | null }[]
  caches: { what: string; folder: string; files: number; bytes: number; isWhole: boolean }[]
  hub: HubState
  environment: string[]
}

/** Collects the report; `offline` skips the hub. */
export async function doctorReport({ offline = false }: { offline?: boolean } = {}): Promise<DoctorReport> {
  const config = findConfig(process.cwd())
  return {
    rolecall: {
      version: ownVersion(),
      folder: shortened(fileURLToPath(packageFile('.'))),
      config: config === undefined ? null : shortened(config),
    },
    machine: machineFacts(),
    peers: peerGroups.map(({ feature, packages, install }) => {
      const versions = Object.fromEntries(packages.map((name) => [name, peerVersion(name) ?? null]))
      return { feature, versions, install: Object.values(versions).includes(null) ? install : null }
    }),
    caches: cacheFolders().map(({ what, folder }) => ({ what, folder: shortened(folder), ...folderSize(folder) })),
    hub: await lookAtHub(process.env, offline),
    environment: Object.keys(process.env)
      .filter((name) => readNames.test(name))
      .sort(),
  }
}

/** Variables that change what Rolecall does. */
const readNames =
  /^(ROLECALL_\w+|HF_\w+|(OPENAI|ANTHROPIC|AZURE)_\w+|XDG_CACHE_HOME|LOCALAPPDATA|(HTTPS?|NO|ALL)_PROXY|NODE_\w+|NO_COLOR|FORCE_COLOR|DEBUG|CI|DATASET_SOURCE|COMPASS_DATA_CACHE)$/i

function machineFacts(): DoctorReport['machine'] {
  const limit = process.constrainedMemory()
  const total = totalmem()
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}, ${release()}`,
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory: { total, free: freemem(), limit: limit > 0 && limit < total ? limit : null },
    disk: freeBytes(process.cwd()),
    terminal: process.stdout.isTTY ? `${process.stdout.columns} columns` : 'none',
  }
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

function cacheFolders(): { what: string; folder: string }[] {
  const own = cacheFolder()
  return own === undefined ? [] : [{ what: 'answers and embeddings', folder: own }]
}

/** Files counted at most, so that the command stays quick. */
const maxFiles = 100_000

/** The files below a folder and their size; zero if it does not exist. */
export function folderSize(folder: string, limit = maxFiles): { files: number; bytes: number; isWhole: boolean } {
  let [files, bytes] = [0, 0]
  const pending = [folder]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) pending.push(path)
      else if (entry.isFile()) {
        if (files === limit) return { files, bytes, isWhole: false }
        files++
        bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0
      }
    }
  }
  return { files, bytes, isWhole: true }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** A path without the user's name. */
function shortened(path: string): string {
  const home = homedir()
  return isInside(path, home) && home.length > 1 ? `~${path.slice(home.replace(/[\\/]$/, '').length)}` : path
}
