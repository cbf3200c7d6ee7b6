import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleOffline } from './bundle-offline.ts'

// `npm run pack:offline [-- FOLDER] [PACKAGE …]`: one archive with Rolecall and its dependencies, and optional peers that are named, such as
// bullmq@6 ioredis@6. Here npm needs its registry or a filled cache; where the archive is installed it needs neither.
const [target = '.', ...more] = process.argv.slice(2)
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rolecall-offline-'))
const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
try {
  const packed = JSON.parse(
    npm(root, 'pack', '--json', '-w', '@rolecall/core', '-w', 'packages/rolecall', '--pack-destination', folder),
  ) as Record<string, { filename: string }>
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  npm(
    project,
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    ...Object.values(packed).map(({ filename }) => join(folder, filename)),
    ...more,
  )
  mkdirSync(resolve(target), { recursive: true })
  const archive = bundleOffline(project, resolve(target))
  console.log(
    `${archive}  ${(statSync(archive).size / 1e6).toFixed(1)} MB\n\nthere  npm install --global --offline ${archive.split('/').at(-1)}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
