import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { outputs, placesOfRuns, runName } from './outputs-folder.ts'
import { findRuns, isRun, readRunInfo, unreadableRuns } from './run-layout.ts'

/** Resolves `-r`: `latest` or a timestamp in one of these folders, or a path. Undefined if there is no run to resume. */
export function findRun(parents: readonly string[], name: string): string | undefined {
  if (name === 'latest') return latestIn(parents)
  for (const folder of [...parents.map((parent) => join(parent, name)), resolve(name)]) if (isRun(folder)) return folder
  if (/\.(ya?ml|json|[cm]?[jt]s|py)$/.test(name)) {
    throw new PromptError('no-run', {
      where: '-r',
      problem: `"${name}" is not a run`,
      fix: `the config comes first: rolecall run ${name} -r`,
    })
  }
  const known = parents.flatMap((parent) => runsIn(parent).map((folder) => relative(parent, folder)))
  throw new PromptError('no-run', {
    where: '-r',
    problem: `there is no run "${name}" in ${shownFolders(parents)}`,
    fix: known.length > 0 ? `choose one of ${known.slice(0, 5).join(', ')}, or give a path` : 'start a new run without -r, or give a path',
  })
}

function latestIn(parents: readonly string[]): string | undefined {
  const found = parents.flatMap((parent) => runsIn(parent).slice(0, 1))
  const latest = found.reduce<string | undefined>(
    (one, other) => (one === undefined || basename(other) > basename(one) ? other : one),
    undefined,
  )
  const unreadable = parents.flatMap((parent) => unreadableRuns(parent).filter((folder) => dirname(folder) === resolve(parent)))
  refuseLaterUnreadable(unreadable, latest)
  return latest
}

/** Refuses to skip an unreadable later run: it may be the intended one, and resuming another would repeat its work. */
function refuseLaterUnreadable(unreadable: readonly string[], latest: string | undefined): void {
  const later = unreadable.find((folder) => latest === undefined || basename(folder) > basename(latest))
  if (later !== undefined) readRunInfo(later)
}

/** Direct children only: shards have their own subfolders. */
function runsIn(parent: string): string[] {
  return findRuns(parent).flatMap(({ folder }) => (resolve(folder, '..') === resolve(parent) ? [folder] : []))
}

/**
 * Resolves an argument to a run: its folder, a folder (its latest run), the config that was run, or a timestamp below `outputs`. Folders
 * are searched in the working folder and beside the nearest config. `orElse`: what else may be given, for the error. `depth`: how far below
 * a folder its runs may be.
 */
export function runAt(name: string, orElse = '', depth?: number): string {
  const named = foldersNamed(name)
  for (const folder of named) {
    if (isRun(folder)) return folder
    const latest = findRuns(folder, depth)[0]?.folder
    refuseLaterUnreadable(unreadableRuns(folder, depth), latest)
    if (latest !== undefined) return latest
  }
  const places = placesOfRuns().map((place) => join(place, outputs))
  const found = places.flatMap((place) => findRuns(place)).find(({ folder }) => basename(folder) === name)?.folder
  if (found !== undefined) return found
  throw noRun(name, named, `choose a folder written by \`rolecall run\`, e.g. outputs/<name>/<time>${orElse}`)
}

/** The error if none of these folders contains a run. */
export function noRun(where: string, lookedIn: readonly string[], fix: string): PromptError {
  const isOne = lookedIn.length === 1 && lookedIn[0] === resolve(where)
  const problem = isOne && !existsSync(lookedIn[0]!) ? 'there is no such file or folder' : undefined
  return new PromptError('no-run', {
    where,
    problem: problem ?? `there is no run in ${isOne ? 'this folder' : shownFolders(lookedIn)}`,
    fix,
  })
}

/** The folders an argument may refer to: relative to the working folder or the nearest config, or those of a config's runs. */
export function foldersNamed(name: string): string[] {
  const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
  const folders = isFile
    ? [dirname(name), '.'].map((place) => resolve(place, outputs, runName(resolve(name))))
    : placesOfRuns().map((place) => resolve(place, name))
  return [...new Set(folders)]
}

/** The first existing folder an argument may refer to; otherwise the argument itself. */
export function folderNamed(name: string): string {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  return existsSync(name) ? name : (foldersNamed(name).find(isFolder) ?? name)
}

/** Folders relative to the working folder, for messages. */
export function shownFolders(folders: readonly string[]): string {
  return folders.map((folder) => relative(process.cwd(), folder) || '.').join(' or ')
}
