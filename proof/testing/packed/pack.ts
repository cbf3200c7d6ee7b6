import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programTimeout } from '../run-program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type Packed = { file: string; size: number; unpackedSize: number; files: readonly { path: string; size: number }[] }

/** Packs the build, as `npm publish` would. */
export function pack(folder: string): Packed {
  // `npm ci` builds only the command line.
  execFileSync(process.execPath, ['scripts/build-if-needed.mjs', 'all'], { cwd: root, stdio: 'inherit', timeout: 5 * programTimeout })
  const flags = ['--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder]
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', ...flags], { cwd: root, encoding: 'utf8', maxBuffer: 1e8, timeout: programTimeout }),
  )
  return { ...packed, file: join(folder, packed.filename) }
}

/** Problems with the package's contents. */
export function contentProblems({ size, unpackedSize, files }: Packed): string[] {
  const paths = files.map(({ path }) => path)
  const wanted = [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'dist/js/cli/main.js',
    'dist/types/index.d.ts',
    'dist/viewer/index.html',
    'schema/rolecall.schema.json',
  ]
  const unwanted = /\.test\.|\.map$|(^|\/)(?:testing|cases|outputs|node_modules)\/|\.gguf$|^src\/|\.tsbuildinfo$/
  return [
    ...wanted.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path) => unwanted.test(path)).map((path) => `${path} does not belong in it`),
    ...(size > 8e6 ? [`it is ${megabytes(size)} packed: more than 8 MB`] : []),
    ...(unpackedSize > 20e6 ? [`it is ${megabytes(unpackedSize)} unpacked: more than 20 MB`] : []),
  ]
}

/** Installs the packed file like a user, in an empty folder; returns the size on disk, including dependencies. */
export function installPacked({ file }: Packed, folder: string): { size: number } {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }\n')
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--ignore-scripts']
  execFileSync('npm', ['install', ...flags, file], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 5 * programTimeout })
  return { size: sizeOf(join(folder, 'node_modules')) }
}

function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
