import { readFileSync } from 'node:fs'

/** Polls the resident memory of a process and reports once when it exceeds the limit. Works on Linux only. */
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

/** Resident memory; undefined if the process is gone. */
export function residentBytes(pid: number): number | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return pages * 4096
  } catch {
    return undefined
  }
}
