import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { preparedCode } from '../../../evaluation/score/evaluate/code/prepared-code.ts'
import { readWholeFile } from '../../read-whole-file.ts'
import { cacheFolder, privateFolder } from '../../runs/private-folder.ts'
import { markUsed } from '../../runs/shrink-cache.ts'
import { findRuntime } from './find-runtime.ts'
import { type SandboxLimits, sandboxLimitsSchema } from './sandbox-limits.ts'
import { startDeno, workerScript } from './start-deno.ts'

const digestLength = 32
/** More than a Python that has only started. */
const mostBytes = 2 ** 30
const known = new Map<string, Promise<Uint8Array | undefined>>()

/**
 * The memory of a Python that has started and run nothing but our own code. A process that starts from it is ready in a tenth of the time. A separate process,
 * which never sees code, creates it once, and it is stored in the user's cache folder. Undefined if this pyodide cannot create one; Python
 * then starts normally.
 */
export function pythonSnapshot(startLimit: number, folder = cacheFolder()): Promise<Uint8Array | undefined> {
  const file = folder === undefined ? undefined : snapshotFile(folder)
  const where = file ?? snapshotKey()
  const found = known.get(where) ?? Promise.resolve((file && readSnapshot(file)) || makeAndKeep(startLimit, file))
  known.set(where, found)
  return found
}

/** Its path in a cache folder. */
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
  // Does not keep the program alive: a caller that waits for Python does.
  timer.unref()
  maker.stdout.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length > limits.memory * 2 ** 20) maker.kill()
  })
  maker.stderr.resume()
  maker.stdin.write(`${JSON.stringify({ makesSnapshot: true, preparedCode })}\n`)
  return maker.exited.then((how) => {
    clearTimeout(timer)
    return how === 'code 0' && length > 0 ? new Uint8Array(Buffer.concat(parts)) : undefined
  })
}

/** The cache key of a snapshot: it changes with pyodide and with our scripts around it and the code compiled in it. */
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
  const parts = [sizes, preparedCode, ...files.map((file) => readFileSync(file, 'utf8'))]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** Undefined if the file is missing or damaged. */
function readSnapshot(file: string): Uint8Array | undefined {
  let bytes: Uint8Array
  try {
    privateFolder(dirname(file))
    bytes = readWholeFile(file, mostBytes)
  } catch {
    return undefined // not created yet, or of another user, who could have changed what Python is
  }
  const snapshot = bytes.subarray(digestLength)
  if (!digestOf(snapshot).equals(bytes.subarray(0, digestLength))) return undefined
  markUsed(file)
  return snapshot
}

/** Failing to store a snapshot only costs time at the next start. */
function keepSnapshot(file: string, snapshot: Uint8Array): void {
  const unfinished = `${file}.${process.pid}`
  try {
    privateFolder(dirname(file))
    writeFileSync(unfinished, Buffer.concat([digestOf(snapshot), snapshot]), { mode: 0o600 })
    renameSync(unfinished, file)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
