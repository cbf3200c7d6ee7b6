import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codeFile } from '../../own-files.ts'
import { findRuntime } from './find-runtime.ts'
import { readLines } from './read-lines.ts'
import { watchMemory } from './watch-memory.ts'

export type SandboxLimits = {
  /** The most memory of Python, in MiB; the process around it may have 1 GiB more. */
  memory: number
  /** The most characters that one piece of code may print. */
  maxOutput: number
  /** How long Python may take to start, in milliseconds. */
  startLimit: number
}

/** The process is gone, or had to be ended: nothing of what was in it is left. */
export class SandboxEnded extends Error {}

type Told = { [key: string]: unknown }
type Waiting = {
  id: string
  resolve: (done: Told) => void
  reject: (error: Error) => void
  onOutput: (output: Told) => void
  bytes: number
}

/** Lines of the protocol may hold a file. */
const maxLine = 64 * 1024 * 1024

const script = (name: string) => realpathSync(fileURLToPath(codeFile(`node/interpreters/python/sandbox/${name}`)))

/**
 * One process with Python in it: pyodide under Deno, with no permission but to read pyodide's files and its own two scripts, an empty
 * environment, no files but its pipes, and limits on memory. It answers one request after the other.
 */
export class SandboxProcess {
  readonly ready: Promise<void>
  readonly #child: ChildProcess
  readonly #stopWatching: () => void
  #waiting: Waiting | undefined
  #ended: SandboxEnded | undefined
  #errors = ''
  #whyKilled: string | undefined
  readonly #exited: Promise<void>

  constructor(limits: SandboxLimits) {
    this.#child = start(limits)
    const { pid } = this.#child
    this.#stopWatching =
      pid === undefined
        ? () => undefined
        : watchMemory(pid, (limits.memory + 1024) * 1024 * 1024, () => this.kill(`it used more than ${limits.memory} MiB of memory`))
    let started!: () => void
    let failed!: (error: Error) => void
    this.ready = new Promise<void>((resolve, reject) => {
      started = resolve
      failed = reject
    })
    this.ready.catch(() => undefined)
    const timer = setTimeout(() => this.kill('it did not start in time'), limits.startLimit)
    this.ready.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    )
    this.#exited = new Promise((resolve) => {
      const end = (why: string) => {
        this.#stopWatching()
        clearTimeout(timer)
        this.#ended ??= new SandboxEnded(this.#whyKilled ?? why)
        failed(this.#ended)
        this.#waiting?.reject(this.#ended)
        this.#waiting = undefined
        resolve()
      }
      this.#child.once('error', (error) => end(`it could not be started: ${error.message}`))
      this.#child.once('close', (code, signal) => end(`it ended with ${signal ?? `code ${code}`}${lastLine(this.#errors)}`))
    })
    readLines(
      this.#child.stdout!,
      maxLine,
      (line) => this.#take(line, started),
      () => this.kill('it wrote more than can be read'),
    )
    this.#child.stderr!.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString('utf8')).slice(-2000)
    })
    // A process that is gone cannot be written to; that it is gone is told elsewhere.
    this.#child.stdin!.on('error', () => undefined)
    // The program may end while Python waits.
    this.#child.unref()
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) (stream as unknown as { unref?(): void }).unref?.()
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isOver(): boolean {
    return this.#ended !== undefined
  }

  /** Sends a request and waits for what becomes of it. */
  request(work: Told, onOutput: (output: Told) => void = () => undefined): Promise<Told> {
    if (this.#ended) return Promise.reject(this.#ended)
    // The code does not know the number of its request, so that it cannot answer one that has not come yet.
    const id = randomBytes(16).toString('hex')
    return new Promise((resolve, reject) => {
      this.#waiting = { id, resolve, reject, onOutput, bytes: 0 }
      this.#hold(true)
      this.#send({ id, ...work })
    }).finally(() => this.#hold(false)) as Promise<Told>
  }

  interrupt(): void {
    this.#send({ id: '', do: 'interrupt' })
  }

  /** Ends it at once, whatever it is doing. */
  kill(why: string): void {
    this.#whyKilled ??= why
    this.#child.kill('SIGKILL')
  }

  async close(): Promise<void> {
    this.kill('it was closed')
    await this.#exited
  }

  #send(message: Told): void {
    this.#child.stdin!.write(`${JSON.stringify(message)}\n`)
  }

  /** While an answer is awaited the program goes on; at other times Python does not keep it alive. */
  #hold(isWaiting: boolean): void {
    const verb = isWaiting ? 'ref' : 'unref'
    this.#child[verb]()
    for (const stream of [this.#child.stdout, this.#child.stderr])
      (stream as unknown as Record<typeof verb, (() => void) | undefined>)[verb]?.()
  }

  /** Whatever comes is only data: what the code gave, or claims to have given. */
  #take(line: string, started: () => void): void {
    const told = readTold(line)
    const waiting = this.#waiting
    if (waiting) waiting.bytes += line.length
    if (waiting && waiting.bytes > maxLine) this.kill('it wrote more than can be read')
    if (told === undefined) return
    if (told.ready === true) started()
    else if (typeof told.fatal === 'string') this.kill(`Python died: ${told.fatal.slice(0, 300)}`)
    else if (waiting && told.id === waiting.id) {
      if (isTold(told.output)) waiting.onOutput(told.output)
      if (isTold(told.done)) {
        this.#waiting = undefined
        waiting.resolve({ ...told.done, interrupted: told.interrupted === true })
      }
    }
  }
}

function start({ memory, maxOutput }: SandboxLimits): ChildProcess {
  const { deno, pyodide } = findRuntime()
  const [runner, worker] = [script('runner'), script('worker')]
  const args = [
    'run',
    ...['--quiet', '--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-lock', '--cached-only', '--no-code-cache', '--no-check'],
    '--unstable-worker-options',
    ...['write', 'net', 'env', 'run', 'ffi', 'sys', 'import'].map((name) => `--deny-${name}`),
    `--allow-read=${[pyodide, runner, worker].join(',')}`,
    // WebAssembly has pages of 64 KiB.
    `--v8-flags=--max-old-space-size=256,--wasm-max-mem-pages=${memory * 16}`,
    ...[runner, pyodide, pathToFileURL(worker).href, String(maxOutput)],
  ]
  const options = {
    stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'],
    cwd: pyodide,
    windowsHide: true,
    // Deno's cache cannot be made there, so that it is kept in memory.
    env: { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: process.platform === 'win32' ? 'NUL\\deno' : '/dev/null/deno' },
  }
  if (process.platform === 'win32') return spawn(deno, args, options)
  // No core dumps, no files, little more memory than Python may have: twice, as an old one may still hold its own while a new one starts.
  const limited = `ulimit -c 0; ulimit -f 0; ulimit -n 64; ulimit -d ${(2 * memory + 1536) * 1024}; exec "$@"`
  return spawn('/bin/sh', ['-c', limited, 'sh', deno, ...args], options)
}

function readTold(line: string): Told | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isTold(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isTold(value: unknown): value is Told {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lastLine(errors: string): string {
  const line = errors.trim().split('\n').at(-1) ?? ''
  return line === '' ? '' : `: ${line.slice(0, 300)}`
}
