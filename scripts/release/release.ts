import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moveUnreleased } from './changelog.ts'

export type Release = { version: string; folder: string; date: string; isDry: boolean; say(text: string): void }

/** A problem to fix before the release; nothing has been changed. */
export class NotReady extends Error {}

/** Makes a release: version, changelog, build, check, packed file, commit and tag. Nothing leaves this machine. */
export function release({ version, folder, date, isDry, say }: Release): void {
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' }).trim()
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  checkVersion(version, manifest.version)
  if (run('git', 'status', '--porcelain') !== '') throw new NotReady('the working tree is not clean: commit or stash first')
  if (run('git', 'tag', '--list', `v${version}`) !== '') throw new NotReady(`the tag v${version} already exists`)
  const moved = moveUnreleased(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), version, date)
  if ('problem' in moved) throw new NotReady(moved.problem)

  const change = (what: string, act: () => void) => {
    say(`${isDry ? 'would ' : ''}${what}`)
    if (!isDry) act()
  }
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  say(`${moved.notes.split('\n').filter((line) => line.startsWith('- ')).length} entries in the changelog`)
  const folders: string[] = manifest.workspaces ?? []
  change(`set the version to ${version}`, () => {
    for (const path of ['.', ...folders]) setVersion(join(folder, path, 'package.json'), version)
    npm('install', '--package-lock-only', '--ignore-scripts', '--offline')
  })
  change('move "Unreleased" in CHANGELOG.md', () => writeFileSync(join(folder, 'CHANGELOG.md'), moved.text))
  try {
    // The site says with which version the commands of each page last ran.
    if (manifest.scripts.docs) change('run the commands on the pages', () => npm('run', 'docs'))
    change('build', () => npm('run', 'build'))
    if (manifest.scripts.proof) change('check the packages', () => npm('run', 'proof', '--', 'check-package'))
    // What is private stays here.
    const packed = folders.filter((path) => !JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')).private)
    change('pack', () => npm('pack', ...packed.flatMap((path) => ['-w', path])))
  } catch (error) {
    run('git', 'checkout', '--', '.')
    throw new NotReady(`the release failed and all changes were undone: ${(error as Error).message}`)
  }
  change(`commit and tag v${version}`, () => {
    run('git', 'commit', '-qam', `release: ${version}`)
    run('git', 'tag', '-a', `v${version}`, '-m', moved.notes)
  })
  if (manifest.repository === undefined) say('note: package.json has no "repository", which npm wants for provenance')
  say(
    `next: git push --follow-tags, then in CI: npm publish FILE.tgz --provenance --access public, for each packed file, @rolecall/core first`,
  )
}

/** Sets the version of a package, and the exact version of our packages that it depends on. */
function setVersion(file: string, version: string): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const ours = (name: string) => name === 'rolecall' || name.startsWith('@rolecall/')
  for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'])
    for (const name of Object.keys(manifest[kind] ?? {})) if (ours(name)) manifest[kind][name] = version
  writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
}

function checkVersion(version: string, current: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new NotReady(`"${version}" is not a version: write e.g. 0.2.0`)
  const numbers = (text: string) => text.split('.').map(Number)
  const [next, before] = [numbers(version), numbers(current)]
  const differs = next.findIndex((number, place) => number !== before[place])
  if (differs !== -1 && next[differs]! < before[differs]!) throw new NotReady(`${version} is older than ${current}`)
}
