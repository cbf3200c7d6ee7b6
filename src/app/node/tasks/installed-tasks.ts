import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** The task folder of an installed `lm_eval`, and where it was looked for. */
export type InstalledTasks = { folder: string | undefined; searched: string }

/** Looks for `lm_eval` in the active Python environment: that of `VIRTUAL_ENV`, else that of `CONDA_PREFIX`. */
export function installedTasks(environment: Environment = process.env): InstalledTasks {
  const searched: string[] = []
  for (const name of ['VIRTUAL_ENV', 'CONDA_PREFIX']) {
    const root = environment[name]
    if (!root) {
      searched.push(`${name} (not set)`)
      continue
    }
    searched.push(`${name} (${root})`)
    const folder = sitePackages(root)
      .map((packages) => join(packages, 'lm_eval', 'tasks'))
      .find((tasks) => existsSync(tasks))
    if (folder !== undefined) return { folder, searched: searched.join(' or ') }
  }
  return { folder: undefined, searched: searched.join(' or ') }
}

/** `lib/python3.12/site-packages`, newest version first; `Lib/site-packages` on Windows. */
function sitePackages(root: string): string[] {
  const lib = join(root, 'lib')
  const versions = existsSync(lib) ? readdirSync(lib).flatMap((name) => /^python3\.(\d+)$/.exec(name)?.[1] ?? []) : []
  const newest = versions.map(Number).sort((a, b) => b - a)
  return [...newest.map((minor) => join(lib, `python3.${minor}`, 'site-packages')), join(root, 'Lib', 'site-packages')]
}
