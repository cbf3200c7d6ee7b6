import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { GuardedProcess } from './guarded-process.ts'
import { pythonSnapshot } from './python-snapshot.ts'
import type { SandboxLimits } from './sandbox-limits.ts'
import { openLine, sealLine } from './seal-lines.ts'
import { startDeno } from './start-deno.ts'

/** The process has ended or was killed; its state is lost. */
export class SandboxEnded extends Error {}

export type Message = { [key: string]: unknown }

export type RequestOptions = {
  /** Milliseconds without a reply after which the process is killed. */
  limit: number
  /** The reason given in that case. */
  overdue: string
  onOutput?: (output: Message) => void
}

type Waiting = { id: string; resolve: (done: Message) => void; reject: (error: Error) => void; onOutput: (output: Message) => void }

/** Milliseconds to read pending replies before a limit counts as exceeded: this program itself may have been busy. */
const lastLook = 100

/** Forged lines tolerated per request, since checking each costs this program time. */
const maxForeignLines = 1000

/**
 * A Python process for one session: pyodide under Deno without permissions. It handles one request at a time and is suspended in between. All
 * limits are enforced here, by observing the process, not by trusting what it reports.
 */
export class SandboxProcess {
  readonly ready: Promise<void>
  readonly #process: GuardedProcess
  readonly #limits: SandboxLimits
  /** Shared with the runner in the process, but not with code. */
  readonly #key = randomBytes(32)
  /** Settles when the process has ended. */
  readonly ended: Promise<void>
  #waiting: Waiting | undefined
  #ended: SandboxEnded | undefined
  #failed: (error: Error) => void = () => undefined
  #errors = ''
  /** Bytes written since the last request. */
  #traffic = 0
  /** Lines since the last request that are not from the runner. */
  #foreignLines = 0

  constructor(limits: SandboxLimits) {
    this.#limits = limits
    this.#process = startDeno(limits)
    const stopWatching = watchMemory(
      () => this.#process.pid,
      (limits.memory + limits.overhead) * 2 ** 20,
      () => this.kill(`it used more than ${limits.memory} MiB of memory`),
    )
    const timer = setTimeout(() => this.kill(`it did not start in ${limits.startLimit / 1000} s`), limits.startLimit)
    let started!: () => void
    this.ready = new Promise<void>((resolve, reject) => {
      started = resolve
      this.#failed = reject
    })
    this.ready
      .then(
        () => this.#rest(),
        () => undefined,
      )
      .finally(() => clearTimeout(timer))
    this.ended = this.#process.exited.then((how) => {
      stopWatching()
      this.#end(`it ended with ${how}${lastLine(this.#errors)}`)
    })
    const count = (chunk: Buffer) => this.#count(chunk.length)
    this.#process.stdout.on('data', count)
    this.#process.stderr.on('data', count)
    this.#process.stderr.on('data', (chunk: Buffer) => (this.#errors = (this.#errors + chunk.toString('utf8')).slice(-2000)))
    readLines(this.#process.stdout, limits.maxTraffic, (line) => this.#take(line, started))
    this.#open().catch((error: unknown) => this.kill(`it could not be given its memory: ${String(error)}`))
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get isOver(): boolean {
    return this.#ended !== undefined
  }

  /** Why it ended. */
  get why(): string | undefined {
    return this.#ended?.message
  }

  /** Sends a request and waits for its result. */
  async request(work: Message, { limit, overdue, onOutput = () => undefined }: RequestOptions): Promise<Message> {
    await this.ready
    if (this.#ended) throw this.#ended
    // Late or forged replies to other requests have another id.
    const id = randomBytes(16).toString('hex')
    this.#traffic = 0
    this.#foreignLines = 0
    this.#process.hold(true)
    this.#process.resume()
    let timer = setTimeout(() => {
      timer = setTimeout(() => this.kill(overdue), lastLook)
    }, limit)
    try {
      return await new Promise<Message>((resolve, reject) => {
        this.#waiting = { id, resolve, reject, onOutput }
        this.#send({ id, ...work })
      })
    } finally {
      clearTimeout(timer)
      this.#rest()
    }
  }

  interrupt(): void {
    this.#send({ do: 'interrupt' })
  }

  /** Kills the process immediately. */
  kill(why: string): void {
    this.#process.kill()
    this.#end(why)
  }

  /** Ends the process and keeps the program alive until it has ended. */
  async close(): Promise<void> {
    this.kill('it was closed')
    this.#process.hold(true)
    let timer: ReturnType<typeof setTimeout>
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#limits.closeLimit)))
    await Promise.race([this.ended, late]).finally(() => clearTimeout(timer))
    this.#process.hold(false)
  }

  /** Rejects pending requests; `ended` settles when the process is gone. */
  #end(why: string): void {
    this.#ended ??= new SandboxEnded(why)
    this.#failed(this.#ended)
    this.#waiting?.reject(this.#ended)
    this.#waiting = undefined
  }

  /** Suspends the process between requests and lets the program exit. */
  #rest(): void {
    this.#process.suspend()
    this.#process.hold(false)
  }

  async #open(): Promise<void> {
    const snapshot = await pythonSnapshot(this.#limits.startLimit)
    const { maxOutput, maxFiles } = this.#limits
    const opening = { key: this.#key.toString('base64'), maxOutput, maxFiles, snapshotBytes: snapshot?.length ?? 0 }
    this.#process.stdin.write(`${JSON.stringify(opening)}\n`)
    if (snapshot) this.#process.stdin.write(snapshot)
  }

  #send(message: Message): void {
    this.#process.stdin.write(`${sealLine(this.#key, message)}\n`)
  }

  #count(bytes: number): void {
    this.#traffic += bytes
    if (this.#traffic > this.#limits.maxTraffic) this.kill(`it wrote more than ${Math.round(this.#limits.maxTraffic / 2 ** 20)} MiB`)
  }

  /** Everything received is untrusted data: the result of the code, or what it claims to be. */
  #take(line: string, started: () => void): void {
    if (this.isOver) return
    const received = openLine(this.#key, line)
    if (!isMessage(received)) {
      if (++this.#foreignLines > maxForeignLines) this.kill('it kept writing into the pipe of its runner')
      return
    }
    const waiting = this.#waiting
    if (received.ready === true) started()
    else if (typeof received.fatal === 'string') this.kill(`Python died: ${received.fatal.slice(0, 300)}`)
    else if (waiting && received.id === waiting.id) {
      if (isMessage(received.output)) waiting.onOutput(received.output)
      if (isMessage(received.done)) {
        this.#waiting = undefined
        waiting.resolve({ ...received.done, interrupted: received.interrupted === true })
      }
    }
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lastLine(errors: string): string {
  const line = errors.trim().split('\n').at(-1) ?? ''
  return line === '' ? '' : `: ${line.slice(0, 300)}`
}

/** Reads a stream line by line; lines longer than `limit` bytes are dropped without buffering them. */
function readLines(stream: Readable, limit: number, take: (line: string) => void): void {
  let held: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...held, rest.subarray(0, end)])
      const isWhole = length + end <= limit
      held = []
      length = 0
      rest = rest.subarray(end + 1)
      if (isWhole && line.length > 0) take(line.toString('latin1'))
    }
    length += rest.length
    if (length <= limit) held.push(rest)
    else held = []
  })
}

/** Polls the resident memory of a process and reports once when it exceeds the limit. Works on Linux only. */
function watchMemory(pidOf: () => number | undefined, limit: number, tooMuch: () => void): () => void {
  if (process.platform !== 'linux') return () => undefined
  const timer = setInterval(() => {
    const pid = pidOf()
    const held = pid === undefined ? undefined : residentBytes(pid)
    if (held === undefined || held <= limit) return
    clearInterval(timer)
    tooMuch()
  }, 100)
  timer.unref()
  return () => clearInterval(timer)
}

/** Resident memory; undefined if the process is gone. */
function residentBytes(pid: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return pages * 4096
  } catch {
    return undefined
  }
}
