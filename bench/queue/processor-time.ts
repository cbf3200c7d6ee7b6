import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

// Processor time of other processes, which only Linux tells. Its unit there is 10 ms.

/** How many processors there are. */
export const cores = cpus().length

/** Whether processor times of other processes are known here. */
export const isTold = existsSync('/proc/self/stat')

/** Milliseconds of processor time of a process, all threads together; its own and the system's for it. */
export function processorTime(pid: number): number {
  if (!isTold) return Number.NaN
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Milliseconds of processor time of everything on this machine. */
export function machineTime(): number {
  if (!isTold) return Number.NaN
  const [user, nice, system, , , irq, softIrq] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/).slice(1).map(Number)
  return (user! + nice! + system! + irq! + softIrq!) * 10
}
