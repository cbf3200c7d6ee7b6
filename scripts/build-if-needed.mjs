// Builds what is older than its sources: `node scripts/build-if-needed.mjs [--force] code modules types viewer`. In a clone, `npm ci` builds all but
// the viewer, every command of the shim looks whether the code is current, and `rolecall view` whether the viewer is.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** Runs a program of this clone. Its output is shown only if it fails. */
async function inFolder(...args) {
  try {
    await run(process.execPath, args, { cwd: root })
  } catch (error) {
    throw new Error(`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message)
  }
}

const manifests = [
  'package-lock.json',
  'packages/core/package.json',
  'packages/rolecall/package.json',
  'packages/adapters/package.json',
  'tsconfig.base.json',
]
const library = ['packages/core/src', 'packages/rolecall/src', 'packages/adapters/src', 'scripts', ...manifests]

/**
 * What can be built. Each output folder is complete or absent: a part is built beside it and then renamed.
 * @type {Record<string, { sources: string[], outputs: string[], build: (folders: string[]) => Promise<unknown> }>}
 */
const parts = {
  code: {
    sources: library,
    outputs: ['packages/core/dist/js', 'packages/rolecall/dist/js', 'packages/adapters/dist/js'],
    build: (folders) => inFolder('scripts/ts.mjs', 'scripts/bundle.ts', 'code', ...folders),
  },
  modules: {
    sources: library,
    outputs: ['packages/core/dist/modules', 'packages/rolecall/dist/modules'],
    build: (folders) => inFolder('scripts/ts.mjs', 'scripts/bundle.ts', 'modules', ...folders),
  },
  types: {
    sources: library,
    outputs: ['packages/core/dist/types', 'packages/rolecall/dist/types', 'packages/adapters/dist/types'],
    build: (folders) => inFolder('scripts/ts.mjs', 'scripts/declarations.ts', ...folders),
  },
  viewer: {
    sources: [...library, 'packages/viewer'],
    outputs: ['packages/rolecall/dist/viewer'],
    async build([folder]) {
      const vite = ['node_modules/vite/bin/vite.js', 'build', 'packages/viewer', '--logLevel', 'warn', '--emptyOutDir', '--outDir']
      await inFolder(...vite, folder)
      await inFolder(...vite, `${folder}/report`, '--mode', 'report')
    },
  },
}

/**
 * Builds the parts that are missing or older than their sources. One process builds; others wait for it.
 * @param {string[]} names
 * @param {{ isForced?: boolean }} [options]
 */
export async function buildIfNeeded(names, { isForced = false } = {}) {
  if (!isForced && names.every((name) => isCurrent(parts[name]))) return
  const unlock = await lock().catch((error) => {
    // Somebody else's clone: what was built last runs.
    if (isForced || !['EACCES', 'EROFS', 'EPERM'].includes(error.code) || !names.every((name) => isBuilt(parts[name]))) throw error
    process.stderr.write('rolecall: this build is older than its sources and cannot be written; its owner can run `npm run build`\n')
  })
  if (unlock === undefined) return
  try {
    const stale = names.filter((name) => isForced || !isCurrent(parts[name]))
    if (stale.length === 0) return
    // Programs read standard output.
    process.stderr.write(`rolecall: building ${stale.join(', ')} from the sources of this clone …\n`)
    await Promise.all(stale.map((name) => build(parts[name])))
  } finally {
    unlock()
  }
}

/**
 * For commands: a build that fails ends the process with what the build printed.
 * @param {Parameters<typeof buildIfNeeded>} options
 */
export async function buildOrExit(...options) {
  try {
    await buildIfNeeded(...options)
  } catch (error) {
    process.stderr.write(`${error.message}\nrolecall: the build failed; after changes to dependencies, run \`npm ci\`\n`)
    process.exit(1)
  }
}

async function build({ sources, outputs, build }) {
  const stamp = stampOf(sources)
  for (const output of outputs) removeLeftovers(root + output)
  const folders = outputs.map((output) => `${root}${output}.new.${process.pid}`)
  await build(folders)
  for (const [index, output] of outputs.entries()) {
    // From before the build: a source that is saved during it is built the next time.
    writeFileSync(`${folders[index]}/.built`, stamp)
    const old = `${root}${output}.old.${process.pid}`
    if (timeOf(output) > 0) renameSync(root + output, old)
    renameSync(folders[index], root + output)
    rmSync(old, { recursive: true, force: true })
  }
}

/** What builds that were interrupted left beside the output. */
function removeLeftovers(output) {
  const [, parent, name] = /^(.*)\/(.*)$/.exec(output)
  mkdirSync(parent, { recursive: true })
  for (const entry of readdirSync(parent)) if (entry.startsWith(`${name}.`)) rmSync(`${parent}/${entry}`, { recursive: true, force: true })
}

function isBuilt({ outputs }) {
  return outputs.every((output) => builtStamp(output) !== undefined)
}

function isCurrent({ sources, outputs }) {
  const stamp = stampOf(sources)
  return outputs.every((output) => builtStamp(output) === stamp)
}

/** The number of sources and the time of the newest: only compared with an earlier stamp, because clocks of other machines may differ. */
function stampOf(sources) {
  const times = sources.flatMap(filesIn).map(timeOf)
  return `${times.length} ${Math.max(...times)}`
}

function builtStamp(output) {
  try {
    return readFileSync(`${root}${output}/.built`, 'utf8')
  } catch {
    return undefined
  }
}

/** Includes folders: removing a file changes only its folder. */
function filesIn(path) {
  const entries = statSync(root + path).isDirectory() ? readdirSync(root + path, { recursive: true, withFileTypes: true }) : []
  const isSource = ({ name }) => !/\.test\.tsx?$|\.md$/.test(name)
  return [path, ...entries.filter(isSource).map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(root.length))]
}

function timeOf(path) {
  return statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Waits until no other process builds. The lock of a process that ended, however it ended, counts for nothing. */
async function lock() {
  const file = `${root}.cache/build.lock`
  mkdirSync(`${root}.cache`, { recursive: true })
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(file)) removeAbandoned(file)
    else await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Of several that wait for a dead lock one removes it: it looks again, because another may have removed it and locked by now. */
export function removeAbandoned(file) {
  const guard = `${file}.guard`
  try {
    writeFileSync(guard, '', { flag: 'wx' })
  } catch {
    const since = statSync(guard, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > 10_000) rmSync(guard, { force: true })
    return
  }
  try {
    if (isAbandoned(file)) rmSync(file, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

function isAbandoned(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    // Written in one call, but created before it: an empty lock is a second old at most.
    if (pid === 0) return Date.now() - statSync(file).mtimeMs > 1000
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2).filter((name) => name !== '--force')
  await buildOrExit(names, { isForced: process.argv.includes('--force') })
}
