import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { outputs, placesOfRuns, runName } from './outputs-folder.ts'
import { findRuns, isRun, readRunInfo, unreadableRuns } from './run-layout.ts'

/** The run that `-r` names: `latest` in one of these folders, a time in them, or a path. Undefined: there is none to go on with. */
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
    fix: known.length > 0 ? `name one of ${known.slice(0, 5).join(', ')}, or a path` : 'start it without -r, or give its path',
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

/** A run that cannot be read may be the one that is meant: going on with another, or from the start, would ask everything again. */
function refuseLaterUnreadable(unreadable: readonly string[], latest: string | undefined): void {
  const later = unreadable.find((folder) => latest === undefined || basename(folder) > basename(latest))
  if (later !== undefined) readRunInfo(later)
}

/** Runs of parts are in folders of their own, and not meant here. */
function runsIn(parent: string): string[] {
  return findRuns(parent).flatMap(({ folder }) => (resolve(folder, '..') === resolve(parent) ? [folder] : []))
}

/**
 * The run that an argument names: its folder, a folder whose latest run is meant, the config that was run, or a time below `outputs`.
 * Folders are looked for here and beside the nearest config.
 */
export function runAt(name: string): string {
  const named = foldersNamed(name)
  for (const folder of named) {
    if (isRun(folder)) return folder
    const latest = findRuns(folder)[0]?.folder
    refuseLaterUnreadable(unreadableRuns(folder), latest)
    if (latest !== undefined) return latest
  }
  const places = placesOfRuns().map((place) => join(place, outputs))
  const found = places.flatMap((place) => findRuns(place)).find(({ folder }) => basename(folder) === name)?.folder
  if (found !== undefined) return found
  throw noRun(name, named, 'name a folder that `rolecall run` wrote, e.g. outputs/<name>/<time>')
}

/** The error where no run lies in any of these folders. */
export function noRun(where: string, lookedIn: readonly string[], fix: string): PromptError {
  const isOne = lookedIn.length === 1 && lookedIn[0] === resolve(where)
  const problem = isOne && !existsSync(lookedIn[0]!) ? 'there is no such file or folder' : undefined
  return new PromptError('no-run', {
    where,
    problem: problem ?? `there is no run in ${isOne ? 'this folder' : shownFolders(lookedIn)}`,
    fix,
  })
}

/** The folders that an argument may mean: as it stands here or beside the nearest config, or those of a config's runs. */
export function foldersNamed(name: string): string[] {
  const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
  const folders = isFile
    ? [dirname(name), '.'].map((place) => resolve(place, outputs, runName(resolve(name))))
    : placesOfRuns().map((place) => resolve(place, name))
  return [...new Set(folders)]
}

/** The folder that an argument means, of those that are there; else the argument as it stands. */
export function folderNamed(name: string): string {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  return existsSync(name) ? name : (foldersNamed(name).find(isFolder) ?? name)
}

/** Folders as they are called from here. */
export function shownFolders(folders: readonly string[]): string {
  return folders.map((folder) => relative(process.cwd(), folder) || '.').join(' or ')
}
