import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isAlive, pidsOfThisMachine, startOf } from './process-mark.ts'

const beatEvery = 5000
/** Another machine that has not touched the lock for so long is thought to be gone. */
const deadAfter = 60_000

type Holder = {
  pid: number
  host: string
  /** Tells apart machines of one name, and containers of one machine: only where it is the same, a pid means the same process. */
  pids?: string | undefined
  /** When the process started: another that got its number later is not it. */
  started?: string | undefined
  /** Tells apart two locks of one process. */
  token: string
}

/** The locks of this process, by their tokens. */
const own = new Set<string>()

/**
 * A run's folder taken for this process, so that two that go on with the same run do not write into each other's files. A lock of
 * a process that was killed does not count; one of a process that is only held up does.
 */
export class RunLock {
  readonly #file: string
  readonly #token = randomUUID()
  readonly #text = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    pids: pidsOfThisMachine(),
    started: startOf(process.pid),
    token: this.#token,
  } satisfies Holder)
  readonly #lost = new AbortController()
  readonly #timer: NodeJS.Timeout
  #beaten = Date.now()

  constructor(file: string) {
    this.#file = file
    take(file, this.#text)
    own.add(this.#token)
    this.#timer = setInterval(() => this.#beat(), beatEvery)
    this.#timer.unref()
  }

  /** Aborted when another process has the run. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Throws where another process has the run by now. To be asked before anything is written: it costs nothing while beats come. */
  readonly check = (): void => {
    // A process that was stopped for a while, and a machine that slept, must look before they write the first line.
    if (Math.abs(Date.now() - this.#beaten) > 2 * beatEvery) this.#beat()
    this.lost.throwIfAborted()
  }

  release(): void {
    clearInterval(this.#timer)
    own.delete(this.#token)
    if (textOf(this.#file) === this.#text) rmSync(this.#file, { force: true })
  }

  #beat(): void {
    this.#beaten = Date.now()
    try {
      if (!touch(this.#file, this.#text)) this.#lost.abort(inUse(this.#file, readHolder(this.#file), 'has been taken over'))
    } catch {
      // A disk that cannot be reached says so when a row is written.
    }
  }
}

/** Whether a process is at work in a run's folder: more rows, or other figures, may come. */
export function isLocked(file: string): boolean {
  return holder(file) !== undefined
}

/** Makes the lock, in place of one whose process is gone. */
function take(file: string, text: string): void {
  for (let attempt = 0; ; attempt++) {
    const found = textOf(file)
    if (found === undefined ? create(file, text) : takeOverDead(file, found, text)) return
    // Somebody else is replacing it, which takes no time; a process may be stopped while it does.
    if (attempt > 0) Atomics.wait(pause, 0, 0, 5)
    if (attempt > 200) throw inUse(file, undefined, 'is being taken over')
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))

function takeOverDead(file: string, found: string, text: string): boolean {
  const held = holder(file)
  if (held) throw inUse(file, held, 'is still going on')
  return takeOver(file, found, text)
}

/** False: somebody else was faster. */
function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // On a full disk there is a file, and nothing in it.
    rmSync(file, { force: true })
    throw error
  }
}

/**
 * Puts a lock in the place of a dead one. There is a lock at every moment: were the dead one removed first, a third process could
 * find none. Only one process at a time may replace a given lock, the one that holds a lock of its own, named after the dead lock's
 * words; false where it is another's by then. Exported for tests.
 */
export function takeOver(file: string, stale: string, text: string): boolean {
  const right = `${file}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`
  try {
    take(right, text)
  } catch (error) {
    if (error instanceof PromptError && error.code === 'run-in-use') return false
    throw error
  }
  try {
    if (textOf(file) !== stale) return false
    const written = `${file}.${randomUUID()}`
    writeFileSync(written, text, { flag: 'wx' })
    renameSync(written, file)
    return true
  } finally {
    rmSync(right, { force: true })
  }
}

/**
 * Shows that the holder is there; false where the lock is another's. The same bytes are written again, which sets the time by the
 * clock of the disk: those of two machines may differ by minutes.
 */
function touch(file: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r+')
  } catch (error) {
    // Somebody deleted it, as the message says one may: nobody else has it yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return create(file, text)
    throw error
  }
  try {
    const bytes = Buffer.alloc(Buffer.byteLength(text) + 1)
    if (bytes.toString('utf8', 0, readSync(descriptor, bytes)) !== text) return false
    writeSync(descriptor, text, 0)
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** Who holds a lock, if that process can still be there. */
function holder(file: string): Partial<Holder> | undefined {
  const found = readHolder(file)
  // A lock without a name is being written this moment, or its process died while it was.
  if (!found) return ageOf(file) < 1000 ? {} : undefined
  const isOfThisMachine = found.host === hostname() && (found.pids === undefined || found.pids === pidsOfThisMachine())
  if (!isOfThisMachine) return ageOf(file) < deadAfter ? found : undefined
  if (found.pid === process.pid) return own.has(found.token) ? found : undefined
  const isSame = found.started === undefined || found.started === startOf(found.pid)
  return isSame && isAlive(found.pid) ? found : undefined
}

/** How long ago a file was written; infinitely long, if it is not there. */
function ageOf(file: string): number {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return written === undefined ? Number.POSITIVE_INFINITY : clockOf(file) - written
}

/** The time by the clock of the disk that a file is on; by ours, where one may only look. */
function clockOf(file: string): number {
  const probe = `${file}.${randomUUID()}`
  try {
    writeFileSync(probe, '')
    return statSync(probe).mtimeMs
  } catch {
    return Date.now()
  } finally {
    rmSync(probe, { force: true })
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(textOf(file) ?? '') as Holder
  } catch {
    return undefined
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function inUse(file: string, { pid, host }: Partial<Holder> = {}, what: string): PromptError {
  return new PromptError('run-in-use', {
    where: file,
    problem: `the run ${what} (${pid === undefined ? 'by another process' : `process ${pid} on ${host}`})`,
    fix: 'wait for it or stop it; delete the file if that process is none of Rolecall’s',
  })
}
