import { readFileSync } from 'node:fs'

/** Looks how much memory a process holds, and reports once when it is too much. Where the system does not tell, nothing is watched. */
export function watchMemory(pidOf: () => number | undefined, limit: number, tooMuch: () => void): () => void {
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

/** Resident memory; undefined where the process is gone. */
export function residentBytes(pid: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return pages * 4096
  } catch {
    return undefined
  }
}
