/**
 * A stopwatch of the processor time of this process, in milliseconds. Tests of "this stays linear" use it, because elapsed time depends on
 * what else the machine does.
 */
export function processorTimer(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
