import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Names the set of processes that a pid is counted in: two processes that see the same name mean the same process by a number.
 * After the machine was started anew, and in another container, it is another. Undefined where the system does not tell.
 */
export function pidsOfThisMachine(): string | undefined {
  return orUndefined(() => `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`)
}

/** When a process started, in ticks since the machine did; undefined where the system does not tell, or the process is gone. */
export function startOf(pid: number): string | undefined {
  return orUndefined(() => statOf(pid)[19]!)
}

/** Whether a process is alive, be it stopped; a zombie process is not. */
export function isAlive(pid: number): boolean {
  const state = orUndefined(() => statOf(pid)[0]!)
  if (state !== undefined) return !/[ZX]/.test(state)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Linux' words about a process from its state on: the name before may have spaces and brackets. See proc_pid_stat(5). */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
