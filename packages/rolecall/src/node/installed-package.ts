import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder of an installed Python package, and where it was looked for. */
export type InstalledPackage = { folder: string | undefined; searched: string }

/**
 * Looks for a Python package, or for a folder in it, in the active Python environment: that of `VIRTUAL_ENV`, else that of
 * `CONDA_PREFIX`.
 */
export function installedPackage(name: string, inside = '', environment: Environment = process.env): InstalledPackage {
  const searched: string[] = []
  for (const variable of ['VIRTUAL_ENV', 'CONDA_PREFIX']) {
    const root = environment[variable]
    if (!root) {
      searched.push(`${variable} (not set)`)
      continue
    }
    searched.push(`${variable} (${root})`)
    const folder = sitePackages(root)
      .flatMap((packages) => [packages, ...editableSources(packages, name)])
      .map((source) => join(source, name, inside))
      .find((one) => existsSync(one))
    if (folder !== undefined) return { folder, searched: searched.join(' or ') }
  }
  return { folder: undefined, searched: searched.join(' or ') }
}

/**
 * Where the code of packages lies that are installed with `pip install -e`: pip records the folder, and a .pth or .egg-link file, or
 * a finder in Python, leads to it.
 */
function editableSources(packages: string, module: string): string[] {
  if (!existsSync(packages)) return []
  // Names of distributions may have either.
  const name = module.replaceAll('_', '[-_]')
  const [recorded, linked] = [new RegExp(`^${name}-.*\\.dist-info$`, 'i'), new RegExp(`^${name}\\.egg-link$`, 'i')]
  return readdirSync(packages).flatMap((entry) => {
    const read = (...path: string[]) => {
      const file = join(packages, entry, ...path)
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    }
    if (recorded.test(entry)) return recordedSource(read('direct_url.json'))
    if (linked.test(entry) || entry.endsWith('.pth')) return read().split(/\r?\n/).filter(isAbsolute)
    if (!/^__editable__.*finder\.py$/.test(entry)) return []
    return [...read().matchAll(new RegExp(`['"]${module}['"]\\s*:\\s*['"]([^'"]+)['"]`, 'g'))].map(([, folder]) => dirname(folder!))
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
