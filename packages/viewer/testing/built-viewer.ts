import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const kept = join(root, 'node_modules/.cache/rolecall-viewer')
const configFile = join(root, 'packages/viewer/vite.config.ts')

/** The sources of the viewer. */
const sources = [
  'src',
  'packages/viewer/src',
  'packages/viewer/public',
  'packages/viewer/index.html',
  'packages/viewer/vite.config.ts',
  'scripts/notices.ts',
  'package-lock.json',
]

const hour = 3_600_000

let built: Promise<string> | undefined

/** The folder of the viewer built from these sources, including `--export report.html`: built once for all test files, and cached until the sources change. */
export function builtViewer(): Promise<string> {
  built ??= find()
  return built
}

async function find(): Promise<string> {
  const folder = join(kept, hashOfSources())
  if (existsSync(folder)) return folder
  mkdirSync(kept, { recursive: true })
  const lock = `${folder}.lock`
  if (!take(lock)) {
    // Another worker is building the same.
    for (const until = Date.now() + 120_000; existsSync(lock) && Date.now() < until; ) await wait(50)
    if (existsSync(folder)) return folder
  }
  try {
    removeOld(folder)
    const made = `${folder}.${process.pid}`
    const into = (outDir: string) => ({ configFile, logLevel: 'error' as const, build: { outDir, minify: false, emptyOutDir: true } })
    await build(into(made))
    await build({ ...into(join(made, 'report')), mode: 'report' })
    renameSync(made, folder)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  return folder
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** Builds of earlier sources; other tests may still use recent ones. */
function removeOld(folder: string): void {
  for (const name of readdirSync(kept)) {
    const path = join(kept, name)
    if (!path.startsWith(folder) && Date.now() - statSync(path).mtimeMs > hour) rmSync(path, { recursive: true, force: true })
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const path of sources.map((name) => join(root, name)).flatMap(filesIn)) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
