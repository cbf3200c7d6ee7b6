import { join, relative, resolve } from 'node:path'
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
