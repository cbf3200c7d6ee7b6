import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { PromptError } from '@rolecall/core/internal/errors'
import { readWholeText } from '../read-whole-file.ts'
import { isAlive, pidsOfThisMachine, startOf } from './process-mark.ts'

const heartbeatInterval = 5000
/** A lock held by another machine is stale after this long without a heartbeat. */
const deadAfter = 60_000

type Holder = {
  pid: number
  host: string
  /** PID namespace: distinguishes containers, and machines with the same host name. */
  pids?: string | undefined
  /** Process start time, to detect a reused PID. */
  started?: string | undefined
  /** Distinguishes locks of one process. */
  token: string
}

/** Tokens of the locks held by this process. */
const own = new Set<string>()

/**
 * Locks a run's folder, so that two processes resuming the same run do not overwrite each other's files. Locks of dead processes are
 * taken over; those of stopped processes are respected.
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
    this.#timer = setInterval(() => this.#beat(), heartbeatInterval)
    this.#timer.unref()
  }

  /** Aborted when another process has taken over the run. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Throws if another process has taken over the run. Call before every write; it is free while heartbeats are on time. */
  readonly check = (): void => {
    // After being stopped or suspended, check the lock before the first write.
    if (Math.abs(Date.now() - this.#beaten) > 2 * heartbeatInterval) this.#beat()
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
      // An unreachable disk is reported by the next write.
    }
  }
}

/** Whether a process is working in a run's folder. */
export function isLocked(file: string): boolean {
  return holder(file) !== undefined
}

/** Creates the lock, or takes over a stale one. */
function take(file: string, text: string): void {
  for (let attempt = 0; ; attempt++) {
    const found = textOf(file)
    if (found === undefined ? create(file, text) : takeOverDead(file, found, text)) return
    // Another process is replacing it, which is quick unless that process is stopped meanwhile.
    if (attempt > 0) Atomics.wait(pause, 0, 0, 5)
    if (attempt > 200) throw inUse(file, undefined, 'is being taken over')
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))

function takeOverDead(file: string, found: string, text: string): boolean {
  const held = holder(file)
  if (held) throw inUse(file, held, 'is still in progress')
  return takeOver(file, found, text)
}

/** False if another process created it first. */
function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // A full disk leaves an empty file.
    rmSync(file, { force: true })
    throw error
  }
}

/**
 * Replaces a stale lock. A lock file exists at every moment: if the stale one were removed first, a third process could find none. Only
 * one process at a time may replace a given lock: the one that holds a second lock named after the stale lock's content. False if
 * another process was first. Exported for tests.
 */
export function takeOver(file: string, stale: string, text: string): boolean {
  const guard = `${file}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`
  try {
    take(guard, text)
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
    rmSync(guard, { force: true })
  }
}

/**
 * Writes a heartbeat; false if the lock is no longer ours. Rewriting the same bytes sets the time by the file server's clock: clocks of
 * two machines may differ by minutes.
 */
function touch(file: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r+')
  } catch (error) {
    // The user deleted it, as the error message suggests, and it is still free.
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

/** The holder of a lock, if its process may still be alive. */
function holder(file: string): Partial<Holder> | undefined {
  const found = readHolder(file)
  // An empty lock is just being written, or its process died while writing it.
  if (!found) return ageOf(file) < 1000 ? {} : undefined
  const isOfThisMachine = found.host === hostname() && (found.pids === undefined || found.pids === pidsOfThisMachine())
  if (!isOfThisMachine) return ageOf(file) < deadAfter ? found : undefined
  if (found.pid === process.pid) return own.has(found.token) ? found : undefined
  const isSame = found.started === undefined || found.started === startOf(found.pid)
  return isSame && isAlive(found.pid) ? found : undefined
}

/** Milliseconds since a file was written; infinite if it does not exist. */
function ageOf(file: string): number {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return written === undefined ? Number.POSITIVE_INFINITY : clockOf(file) - written
}

/** The time by the file server's clock, or the local clock if the folder is read-only. */
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
    return readWholeText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function inUse(file: string, { pid, host }: Partial<Holder> = {}, what: string): PromptError {
  return new PromptError('run-in-use', {
    where: file,
    problem: `the run ${what} (${pid === undefined ? 'by another process' : `process ${pid} on ${host}`})`,
    fix: 'wait for it or stop it; delete the file if that process is not Rolecall',
  })
}
