import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programTimeout } from '../run-program.ts'

/** The tools that check the package, in exact versions and in a separate folder, so that `npm ci` stays small. */
const examiners = ['publint@0.3.25', '@arethetypeswrong/core@0.18.5', 'esbuild@0.28.2']

const arm = process.arch === 'arm64'
const system = process.platform === 'darwin' ? 'darwin' : 'linux'
/** Other runtimes from npm: their packages for this platform, which need no install script. */
const runtimes = {
  'Node 20.19': ['node20', `node-${system}-${process.arch}@20.19.0`, 'bin/node'],
  'Node 22': ['node22', `node-${system}-${process.arch}@22.23.3`, 'bin/node'],
  'Node 24': ['node24', `node-${system}-${process.arch}@24.22.0`, 'bin/node'],
  Bun: ['bun-bin', `@oven/bun-${system}-${arm ? 'aarch64' : 'x64'}@1.4.4`, 'bin/bun'],
} as const

export type Runtime = { name: string; program: string }
export type Tools = { folder: string; runtimes: readonly Runtime[]; missing: readonly string[] }

/** Installs missing tools. Runtimes take 600 MB, and are only installed on request. */
export function installTools(folder: string, withRuntimes: boolean): Tools {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const wanted = examiners.filter((name) => !existsSync(join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')))))
  if (wanted.length > 0 && !install(folder, wanted)) throw new Error(`npm could not install ${wanted.join(', ')}`)
  const all = withRuntimes ? Object.entries(runtimes) : []
  for (const [, [alias, spec]] of all) {
    if (!existsSync(join(folder, 'node_modules', alias))) install(folder, [`${alias}@npm:${spec}`])
  }
  const found = all.map(([name, [alias, , path]]) => ({ name, program: join(folder, 'node_modules', alias, path) }))
  return {
    folder,
    runtimes: found.filter(({ program }) => existsSync(program)),
    missing: found.filter(({ program }) => !existsSync(program)).map(({ name }) => name),
  }
}

function install(folder: string, packages: readonly string[]): boolean {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  return (
    spawnSync('npm', ['install', ...flags, ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 5 * programTimeout,
    }).status === 0
  )
}
