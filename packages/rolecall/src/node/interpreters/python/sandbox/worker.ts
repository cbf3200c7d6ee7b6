/** The thread with Python, inside Deno. Once Python is loaded, it drops its only permission, reading Python's files. */
import { fromBase64, toBase64 } from './base64.ts'
import { CapturedOutput, type Stream } from './captured-output.ts'
import { cellRunner } from './cell-runner.ts'
import { type Gates, watchCalls } from './gates.ts'
import { type PythonMemory, pythonMemory } from './python-memory.ts'

type Python = {
  setStdout(stream: Stream): void
  setStderr(stream: Stream): void
  setStdin(source: { stdin(): null; isatty: boolean }): void
  setInterruptBuffer(buffer: Uint8Array): void
  runPython(code: string): unknown
  /** Present if it was loaded to make a snapshot. */
  makeMemorySnapshot?(): Uint8Array
  FS: {
    writeFile(path: string, data: Uint8Array): void
    readFile(path: string): Uint8Array
    mkdirTree(path: string): void
    readdir(path: string): string[]
    stat(path: string): { mode: number; size: number }
    lstat(path: string): { mode: number; size: number }
    isDir(mode: number): boolean
    isFile(mode: number): boolean
    isLink(mode: number): boolean
    readonly streams: readonly unknown[]
  }
}
declare const Deno: { permissions: { revoke(permission: { name: string }): Promise<unknown> } }
declare const self: {
  postMessage(message: unknown): void
  addEventListener(type: 'unhandledrejection', listener: (event: { preventDefault(): void }) => void): void
  onmessage: (event: { data: Work }) => void
}

/** The token of a request is returned with its result. */
type Work = { token?: string } & (
  | { do: 'load'; folder: string; makesSnapshot: true; preparedCode: string }
  | {
      do: 'load'
      folder: string
      makesSnapshot?: never
      interrupt: SharedArrayBuffer
      /** Closed when code changes more than Python's memory. */
      latch: SharedArrayBuffer
      maxOutput: number
      maxFiles: number
      snapshot?: Uint8Array
    }
  | { do: 'run'; code: string }
  | { do: 'write'; path: string; data: string }
  | { do: 'read'; path: string; limit: number }
  | { do: 'list' }
  | { do: 'restore' }
)

const home = '/home/pyodide'

let python: Python
let memory: PythonMemory
let gates: Gates
let output: CapturedOutput
let maxFiles = 0

self.onmessage = async ({ data }) => {
  try {
    if (data.do === 'load') await load(data)
    else self.postMessage({ done: await work(data), token: data.token })
  } catch (error) {
    // Python has died or never started: only a new process helps.
    self.postMessage({ fatal: String(error).slice(0, 2000) })
  }
}

/** An unhandled rejection concerns only the code, unless Python has died of it. */
self.addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  try {
    python.runPython('0')
  } catch (error) {
    self.postMessage({ fatal: String(error).slice(0, 2000) })
  }
})

async function load(options: Work & { do: 'load' }): Promise<void> {
  const { folder } = options
  // The function table must be the same when a snapshot is made and when it is used.
  gates = watchCalls(new Uint8Array(options.makesSnapshot ? new ArrayBuffer(1) : options.latch))
  const { loadPyodide } = (await import(`file://${folder}/pyodide.mjs`)) as { loadPyodide(options: object): Promise<Python> }
  const snapshot = options.makesSnapshot ? undefined : options.snapshot
  const how = snapshot ? { _loadSnapshot: snapshot } : options.makesSnapshot ? { _makeSnapshot: true } : {}
  python = await loadPyodide({ indexURL: `${folder}/`, ...how })
  for (const name of ['read', 'write', 'net', 'env', 'run', 'ffi', 'sys', 'import']) await Deno.permissions.revoke({ name })
  // The snapshot includes the modules that every cell needs.
  if (!snapshot) python.runPython(cellRunner)
  if (options.makesSnapshot) {
    python.runPython(options.preparedCode)
    self.postMessage({ snapshot: python.makeMemorySnapshot!() })
    return
  }
  python.setInterruptBuffer(new Uint8Array(options.interrupt))
  python.setStdin({ stdin: () => null, isatty: false })
  output = new CapturedOutput(options.maxOutput, (printed) => self.postMessage({ output: printed }))
  python.setStdout(output.open('stdout'))
  python.setStderr(output.open('stderr'))
  maxFiles = options.maxFiles
  memory = pythonMemory(gates.exports(), () => [...python.FS.streams])
  begin()
  self.postMessage({ ready: true })
}

/** Runs before the first code of each session. */
function begin(): void {
  gates.guard()
  memory.evaluate('str(_seed())', '')
}

async function work(request: Exclude<Work, { do: 'load' }>): Promise<object> {
  switch (request.do) {
    case 'run':
      return run(request.code)
    case 'write': {
      gates.close()
      const path = inHome(request.path)
      python.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')))
      python.FS.writeFile(path, fromBase64(request.data))
      return {}
    }
    case 'read':
      return read(inHome(request.path), request.limit)
    case 'list':
      return { files: listFiles(home, '', []) }
    case 'restore': {
      const restored = memory.restore()
      if (restored) begin()
      return { restored }
    }
    default:
      return request satisfies never
  }
}

async function run(code: string): Promise<object> {
  output.begin()
  let said = JSON.parse(memory.evaluate('_run_cell(_code)', code)) as 'waits' | [string?, ...(string | null)[]]
  if (said === 'waits')
    said = JSON.parse(await (python.runPython('_wait_for_cell()') as Promise<string>)) as [string?, ...(string | null)[]]
  output.end()
  const [kind, ...rest] = said
  const missing = typeof rest[3] === 'string' ? { missing: rest[3] } : {}
  const short = (text: string | null | undefined) => output.short(text ?? '')
  if (kind === 'error') return { error: { name: rest[0], message: short(rest[1]), text: short(rest[2]) }, cut: output.cut, ...missing }
  return { ...(kind === 'value' ? { value: short(rest[0]) } : {}), cut: output.cut }
}

function inHome(path: string): string {
  return path.startsWith('/') ? path : `${home}/${path}`
}

function read(path: string, limit: number): object {
  let size: number
  try {
    size = python.FS.stat(path).size
  } catch {
    return { failed: 'there is no such file' }
  }
  if (size > limit) return { failed: `the file has ${size} bytes, and at most ${limit} are fetched` }
  return { data: toBase64(python.FS.readFile(path)) }
}

/** Lists links as their target files; linked folders are skipped, because they may form a cycle. */
function listFiles(folder: string, prefix: string, found: { path: string; size: number }[]): { path: string; size: number }[] {
  for (const name of python.FS.readdir(folder)) {
    if (name === '.' || name === '..' || found.length >= maxFiles) continue
    const path = `${folder}/${name}`
    const own = python.FS.lstat(path)
    if (python.FS.isDir(own.mode)) listFiles(path, `${prefix}${name}/`, found)
    const file = python.FS.isLink(own.mode) ? targetOf(path) : own
    if (file && python.FS.isFile(file.mode)) found.push({ path: prefix + name, size: file.size })
  }
  return found
}

function targetOf(link: string): { mode: number; size: number } | undefined {
  try {
    return python.FS.stat(link)
  } catch {
    return undefined // a broken link
  }
}
