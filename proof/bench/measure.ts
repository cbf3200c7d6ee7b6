import { sized } from './sizes.ts'

/**
 * Calls per second of CPU time: the median of several intervals, after a warm-up. Wall-clock time would include other
 * programs on the machine. Ratios within one run are more reliable than these numbers.
 */
export function perSecond(step: (index: number) => void, { stretches = sized(7, 1), milliseconds = sized(250, 1) } = {}): number {
  const batch = sized(64, 1)
  const run = (limit: number): number => {
    let done = 0
    const before = process.cpuUsage()
    const start = performance.now()
    while (performance.now() - start < limit) for (let count = 0; count < batch; count++) step(done++)
    const { user, system } = process.cpuUsage(before)
    return (done / (user + system)) * 1_000_000
  }
  run(milliseconds * 2)
  const rates = Array.from({ length: stretches }, () => run(milliseconds)).sort((a, b) => a - b)
  return rates[rates.length >> 1]!
}
