import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { PromptError } from '../prompt-error.ts'

const beatEvery = 5000
/** A machine that has not touched the lock for so long is thought to be gone. */
const deadAfter = 60_000

/**
 * Takes a run's folder for this process, so that two that resume the same run do not ask everything twice. Returns what gives it
 * back. A lock of a process that was killed does not count.
 */
export function lockRun(file: string): () => void {
  const held = holder(file)
  if (held) {
    throw new PromptError('run-in-use', {
      where: file,
      problem: `the run is still going on (process ${held.pid} on ${held.host})`,
      fix: 'wait for it or stop it; delete the file if that process is none of Rolecall’s',
    })
  }
  rmSync(file, { force: true })
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return lockRun(file)
  }
  writeSync(descriptor, JSON.stringify({ pid: process.pid, host: hostname() }))
  closeSync(descriptor)
  const beat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date())
    } catch {
      // Somebody deleted it, as the message above says one may.
    }
  }, beatEvery)
  beat.unref()
  return () => {
    clearInterval(beat)
    rmSync(file, { force: true })
  }
}

type Holder = { pid: number; host: string }

/** Who holds a lock, if that process can still be there. */
function holder(file: string): Holder | undefined {
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (touched === undefined || Date.now() - touched > deadAfter) return undefined
  const found = readHolder(file)
  // A lock without a name is being written this moment, or its process died while it was.
  if (!found) return Date.now() - touched < 1000 ? { pid: 0, host: hostname() } : undefined
  if (found.host !== hostname()) return found
  return found.pid !== process.pid && isAlive(found.pid) ? found : undefined
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
