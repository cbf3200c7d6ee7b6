import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { packageFile } from './own-files.ts'

const isSource = import.meta.url.endsWith('.ts')

/**
 * The entry points of this package and of `@rolecall/core`, with the files that this process has loaded them from: a config that imports
 * them shares our classes and registries. Read from `exports`, which names the sources for a process that runs from source.
 */
export function ownEntries(): Record<string, string> {
  return { ...entriesIn(packageFile('package.json')), ...entriesIn(coreManifest()) }
}

type Manifest = { name: string; exports: Record<string, string | { 'rolecall-source'?: string; node?: string; default?: string }> }

function entriesIn(manifest: URL): Record<string, string> {
  const { name, exports } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
  const files = Object.entries(exports).flatMap(([entry, target]) => {
    const path = typeof target === 'string' ? target : isSource ? target['rolecall-source'] : (target.node ?? target.default)
    return path === undefined || path.includes('*') ? [] : [[name + entry.slice(1), fileURLToPath(new URL(path, manifest))]]
  })
  return Object.fromEntries(files) as Record<string, string>
}

function coreManifest(): URL {
  if (isSource) return packageFile('../core/package.json')
  return pathToFileURL(createRequire(import.meta.url).resolve('@rolecall/core/package.json'))
}
