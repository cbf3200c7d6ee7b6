import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

// CPU time of other processes, which only Linux provides, in units of 10 ms.

/** Number of CPUs. */
export const cores = cpus().length

/** Whether CPU times of other processes are available. */
export const isMeasurable = existsSync('/proc/self/stat')

/** Milliseconds of CPU time of a process over all threads, user and system. */
export function processorTime(pid: number): number {
  if (!isMeasurable) return Number.NaN
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Milliseconds of CPU time of everything on this machine. */
export function machineTime(): number {
  if (!isMeasurable) return Number.NaN
  const [user, nice, system, , , irq, softIrq] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).slice(1).map(Number)
  return (user! + nice! + system! + irq! + softIrq!) * 10
}
