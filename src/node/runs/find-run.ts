import { basename, dirname, join, relative, resolve } from 'node:path'
import { PromptError } from '../../prompt-error.ts'
import { findRuns, isRun, readRunInfo, unreadableRuns } from './run-layout.ts'

/** The run that `-r` names: `latest` in its folder, a time in it, or a path. Undefined: there is none to go on with. */
export function findRun(parent: string, name: string): string | undefined {
  if (name === 'latest') return latestIn(parent)
  for (const folder of [join(parent, name), resolve(name)]) if (isRun(folder)) return folder
  if (/\.(ya?ml|json|[cm]?[jt]s|py)$/.test(name)) {
    throw new PromptError('no-run', { where: '-r', problem: `"${name}" is no run`, fix: `the config comes first: rolecall run ${name} -r` })
  }
  const known = runsIn(parent).map((folder) => relative(parent, folder))
  throw new PromptError('no-run', {
    where: '-r',
    problem: `there is no run "${name}"`,
    fix: known.length > 0 ? `name one of ${known.slice(0, 5).join(', ')}, or a path` : 'start it without -r, or give its path',
  })
}

function latestIn(parent: string): string | undefined {
  const latest = runsIn(parent)[0]
  refuseLaterUnreadable(
    unreadableRuns(parent).filter((folder) => dirname(folder) === resolve(parent)),
    latest,
  )
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

/** The run that an argument names: its folder, a folder whose latest run is meant, or a time below `outputs`. */
export function runAt(name: string): string {
  if (isRun(name)) return resolve(name)
  const latest = findRuns(name)[0]?.folder
  refuseLaterUnreadable(unreadableRuns(name), latest)
  const found = latest ?? findRuns('outputs').find(({ folder }) => basename(folder) === name)?.folder
  if (found !== undefined) return found
  throw new PromptError('no-run', {
    where: name,
    problem: 'there is no run here',
    fix: 'name a folder that `rolecall run` wrote, e.g. outputs/<name>/<time>',
  })
}
