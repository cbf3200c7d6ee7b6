import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from '../../../scripts/build-if-needed.mjs'
import { programTimeout } from '../run-program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type Packed = { name: string; file: string; size: number; unpackedSize: number; files: readonly { path: string; size: number }[] }

/** What belongs into each package, and how large it may be. */
const expected = {
  '@rolecall/core': {
    wanted: ['README.md', 'LICENSE', 'dist/js/index.js', 'dist/modules/index.js', 'dist/types/index.d.ts'],
    // The goal is 0.8 MB; response templates, whose patterns are Python's, and structural tags took it past that.
    packed: 0.95e6,
    unpacked: 5e6,
  },
  '@rolecall/adapters': {
    wanted: ['README.md', 'LICENSE', 'dist/js/ai-sdk.js', 'dist/js/vitest.js', 'dist/types/ai-sdk.d.ts', 'dist/types/langchain.d.ts'],
    packed: 0.1e6,
    unpacked: 0.4e6,
  },
  rolecall: {
    wanted: [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'bin/rolecall.mjs',
      'dist/js/cli/main.js',
      'dist/types/index.d.ts',
      'dist/viewer/index.html',
      'schema/rolecall.schema.json',
    ],
    packed: 8e6,
    unpacked: 20e6,
  },
}

/** What packing reads. */
const packedFrom = [
  ...['package.json', 'package-lock.json', 'tsconfig.base.json', 'LICENSE', 'README.md', 'README.zh-CN.md', 'CHANGELOG.md'],
  ...['scripts', 'packages'],
]

/** Packs our packages, as `npm publish` would. In a copy: packing changes the manifests for a while, and tests run beside it. */
export async function pack(folder: string): Promise<Packed[]> {
  await buildIfNeeded(['code', 'modules', 'types', 'viewer'])
  const copy = join(folder, 'clone')
  for (const path of packedFrom) cpSync(join(root, path), join(copy, path), { recursive: true })
  for (const name of ['core', 'rolecall', 'adapters'])
    execFileSync(process.execPath, [join(copy, 'scripts/for-publishing.mjs'), '--publish', '--built'], {
      cwd: join(copy, 'packages', name),
      timeout: programTimeout,
    })
  const flags = [
    '-w',
    '@rolecall/core',
    '-w',
    'packages/rolecall',
    '-w',
    '@rolecall/adapters',
    '--json',
    '--loglevel=error',
    '--ignore-scripts',
  ]
  const printed = execFileSync('npm', ['pack', ...flags, '--pack-destination', folder], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 5 * programTimeout,
  })
  // Newer versions of npm print an object by name.
  const packed = Object.values(JSON.parse(printed) as Record<string, Packed & { filename: string }>)
  return packed.map((one) => ({ ...one, file: join(folder, one.filename) }))
}

/** Problems with a package's contents. */
export function contentProblems({ name, size, unpackedSize, files }: Packed): string[] {
  const paths = files.map(({ path }) => path)
  const { wanted, packed, unpacked } = expected[name as keyof typeof expected]
  const unwanted = /\.test\.|\.map$|(^|\/)(?:testing|cases|outputs|node_modules)\/|\.gguf$|^src\/|\.tsbuildinfo$/
  return [
    ...wanted.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path) => unwanted.test(path)).map((path) => `${path} does not belong in it`),
    ...(size > packed ? [`it is ${megabytes(size)} packed: more than ${megabytes(packed)}`] : []),
    ...(unpackedSize > unpacked ? [`it is ${megabytes(unpackedSize)} unpacked: more than ${megabytes(unpacked)}`] : []),
  ]
}

/** Installs the packed files like a user, in an empty folder; returns the size on disk, including dependencies. */
export function installPacked(packed: readonly Packed[], folder: string): { size: number } {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }\n')
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--ignore-scripts']
  const files = packed.map(({ file }) => file)
  execFileSync('npm', ['install', ...flags, ...files], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 5 * programTimeout })
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
