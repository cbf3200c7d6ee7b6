import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Identifies the PID namespace: processes that see the same value mean the same process by a PID. It changes with a reboot and differs
 * between containers. Undefined if the system does not provide it.
 */
export function pidsOfThisMachine(): string | undefined {
  return orUndefined(() => `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`)
}

/** A process's start time in ticks since boot; undefined if unavailable or the process is gone. */
export function startOf(pid: number): string | undefined {
  return orUndefined(() => statOf(pid)[19]!)
}

/** Whether a process is alive, including stopped ones but not zombies. */
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

/** The fields of /proc/PID/stat from the state on; the name before it may contain spaces and brackets. See proc_pid_stat(5). */
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
