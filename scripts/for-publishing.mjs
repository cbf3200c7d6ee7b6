// npm runs it in a package's folder: before it packs (`prepack`), with `--publish` (and `--built`, if nothing is to be built), and afterwards (`postpack`), with `--restore`.
// A published package has no sources, so that its exports must not name them, and carries the licence and, of `rolecall`, the README.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOrExit } from './build-if-needed.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.cwd()
const manifest = join(folder, 'package.json')
const original = join(folder, '.package.json')
const isRolecall = JSON.parse(readFileSync(existsSync(manifest) ? manifest : original, 'utf8')).name === 'rolecall'
const copied = ['LICENSE', ...(isRolecall ? ['README.md', 'README.zh-CN.md', 'CHANGELOG.md'] : [])]

// Left behind by a pack that was interrupted.
restore()
if (process.argv.includes('--publish')) {
  if (!process.argv.includes('--built')) await buildOrExit(['code', 'modules', 'types', ...(isRolecall ? ['viewer'] : [])])
  // Renamed, not copied, so that it comes back with its time: the build stays current.
  renameSync(manifest, original)
  for (const name of copied) copyFileSync(join(root, name), join(folder, name))
  writeFileSync(manifest, `${JSON.stringify(published(JSON.parse(readFileSync(original, 'utf8'))), null, 2)}\n`)
}

/** The manifest without what only a clone needs. */
function published({ scripts: _, exports, ...rest }) {
  const targets = Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [[entry, target]]
    const { 'rolecall-source': source, ...built } = target
    return Object.keys(built).length === 0 ? [] : [[entry, built]]
  })
  return { ...rest, ...repository(), exports: Object.fromEntries(targets) }
}

/** Where the sources are: the remote that this clone came from; a clone without one is packed without. */
function repository() {
  try {
    const url = execFileSync('git', ['config', '--get', 'remote.origin.url'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    // A path of this machine, or an address with a password, is for nobody else.
    if (!/^(?:https:\/\/|git@|ssh:\/\/git@)/.test(url) || /^https:\/\/[^/]*@/.test(url)) return {}
    return { repository: { type: 'git', url, directory: relative(root, folder).replaceAll('\\', '/') } }
  } catch {
    return {}
  }
}

function restore() {
  if (existsSync(original)) renameSync(original, manifest)
  for (const name of copied) rmSync(join(folder, name), { force: true })
}
