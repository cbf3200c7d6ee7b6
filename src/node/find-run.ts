import { basename, join, relative, resolve } from 'node:path'
import { PromptError } from '../prompt-error.ts'
import { findRuns, isRun } from './run-layout.ts'

/** The run that `-r` names: `latest` in its folder, a time in it, or a path. Undefined: there is none to go on with. */
export function findRun(parent: string, name: string): string | undefined {
  if (name === 'latest') return latestIn(parent)
  for (const folder of [join(parent, name), resolve(name)]) if (isRun(folder)) return folder
  const known = runsIn(parent).map((folder) => relative(parent, folder))
  throw new PromptError('no-run', {
    where: '-r',
    problem: `there is no run "${name}"`,
    fix: known.length > 0 ? `name one of ${known.slice(0, 5).join(', ')}, or a path` : 'start it without -r, or give its path',
  })
}

function latestIn(parent: string): string | undefined {
  return runsIn(parent)[0]
}

/** Runs of parts are in folders of their own, and not meant here. */
function runsIn(parent: string): string[] {
  return findRuns(parent).flatMap(({ folder }) => (resolve(folder, '..') === resolve(parent) ? [folder] : []))
}

/** The run that an argument names: its folder, a folder whose latest run is meant, or a time below `outputs`. */
export function runAt(name: string): string {
  const found = isRun(name)
    ? resolve(name)
    : (findRuns(name)[0]?.folder ?? findRuns('outputs').find(({ folder }) => basename(folder) === name)?.folder)
  if (found !== undefined) return found
  throw new PromptError('no-run', {
    where: name,
    problem: 'there is no run here',
    fix: 'name a folder that `rolecall run` wrote, e.g. outputs/<name>/<time>',
  })
}
