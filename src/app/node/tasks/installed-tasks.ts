import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
      .flatMap((packages) => [packages, ...editableSources(packages)])
      .map((source) => join(source, 'lm_eval', 'tasks'))
      .find((tasks) => existsSync(tasks))
    if (folder !== undefined) return { folder, searched: searched.join(' or ') }
  }
  return { folder: undefined, searched: searched.join(' or ') }
}

/**
 * Where the code of packages lies that are installed with `pip install -e`: pip records the folder of `lm_eval`, and a .pth or .egg-link
 * file, or a finder in Python, leads to it.
 */
function editableSources(packages: string): string[] {
  if (!existsSync(packages)) return []
  return readdirSync(packages).flatMap((name) => {
    const read = (...path: string[]) => {
      const file = join(packages, name, ...path)
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    }
    if (/^lm_eval-.*\.dist-info$/i.test(name)) return recordedSource(read('direct_url.json'))
    if (/^lm[-_]eval\.egg-link$/i.test(name) || /\.pth$/.test(name)) return read().split(/\r?\n/).filter(isAbsolute)
    if (!/^__editable__.*finder\.py$/.test(name)) return []
    return [...read().matchAll(/['"]lm_eval['"]\s*:\s*['"]([^'"]+)['"]/g)].map(([, folder]) => dirname(folder!))
  })
}

/** `{"url": "file:///…"}`. */
function recordedSource(text: string): string[] {
  try {
    const { url } = JSON.parse(text) as { url?: unknown }
    return typeof url === 'string' && url.startsWith('file:') ? [fileURLToPath(url)] : []
  } catch {
    return []
  }
}

/** `lib/python3.12/site-packages`, newest version first; `Lib/site-packages` on Windows. */
function sitePackages(root: string): string[] {
  const lib = join(root, 'lib')
  const versions = existsSync(lib) ? readdirSync(lib).flatMap((name) => /^python3\.(\d+)$/.exec(name)?.[1] ?? []) : []
  const newest = versions.map(Number).sort((a, b) => b - a)
  return [...newest.map((minor) => join(lib, `python3.${minor}`, 'site-packages')), join(root, 'Lib', 'site-packages')]
}
