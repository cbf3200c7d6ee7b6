import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from '../../runs/answer-cache.ts'
import { markUsed } from '../../runs/shrink-cache.ts'
import { findRuntime } from './find-runtime.ts'
import { type SandboxLimits, sandboxLimitsSchema } from './limits.ts'
import { startDeno, workerScript } from './start-deno.ts'

const digestLength = 32
const known = new Map<string, Promise<Uint8Array | undefined>>()

/**
 * The memory of a Python that has started and has run nothing. A process that begins with it is ready in a tenth of the time. It is
 * made once by a process of its own, which never sees code, and kept in the user's folder for caches. Undefined where this pyodide
 * makes none: Python then starts from the beginning.
 */
export function pythonSnapshot(startLimit: number, folder = cacheFolder()): Promise<Uint8Array | undefined> {
  const file = folder === undefined ? undefined : snapshotFile(folder)
  const where = file ?? snapshotKey()
  const found = known.get(where) ?? Promise.resolve((file && readSnapshot(file)) || makeAndKeep(startLimit, file))
  known.set(where, found)
  return found
}

/** Where it is kept in a folder for caches. */
export function snapshotFile(folder: string): string {
  return join(folder, 'python', `${snapshotKey()}.snapshot`)
}

async function makeAndKeep(startLimit: number, file: string | undefined): Promise<Uint8Array | undefined> {
  const made = await makeSnapshot({ ...sandboxLimitsSchema.parse({}), startLimit })
  if (made && file) keepSnapshot(file, made)
  return made
}

function makeSnapshot(limits: SandboxLimits): Promise<Uint8Array | undefined> {
  const maker = startDeno(limits)
  const parts: Buffer[] = []
  let length = 0
  const timer = setTimeout(() => maker.kill(), limits.startLimit)
  // Whoever waits for Python holds the program; nobody else needs a snapshot.
  timer.unref()
  maker.stdout.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length > limits.memory * 2 ** 20) maker.kill()
  })
  maker.stderr.resume()
  maker.stdin.write(`${JSON.stringify({ makesSnapshot: true })}\n`)
  return maker.exited.then((how) => {
    clearTimeout(timer)
    return how === 'code 0' && length > 0 ? new Uint8Array(Buffer.concat(parts)) : undefined
  })
}

/** Whatever a snapshot is made from: another pyodide, or other scripts of ours around it, make another one. */
function snapshotKey(): string {
  const { pyodide } = findRuntime()
  const sizes = ['pyodide.asm.wasm', 'python_stdlib.zip'].map((name) => {
    const { size, mtimeMs } = statSync(join(pyodide, name))
    return [size, mtimeMs]
  })
  const scripts = dirname(workerScript())
  const files = [
    join(pyodide, 'package.json'),
    ...readdirSync(scripts)
      .toSorted()
      .map((name) => join(scripts, name)),
  ]
  const parts = [sizes, ...files.map((file) => readFileSync(file, 'utf8'))]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** A file that is not whole is made anew. */
function readSnapshot(file: string): Uint8Array | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch {
    return undefined // nothing is kept yet
  }
  const snapshot = bytes.subarray(digestLength)
  if (!digestOf(snapshot).equals(bytes.subarray(0, digestLength))) return undefined
  markUsed(file)
  return snapshot
}

/** A snapshot that cannot be kept costs time, never a start. */
function keepSnapshot(file: string, snapshot: Uint8Array): void {
  const unfinished = `${file}.${process.pid}`
  try {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(unfinished, Buffer.concat([digestOf(snapshot), snapshot]))
    renameSync(unfinished, file)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
