/** Calls per second: the median of several stretches, after a warm-up. Ratios of one run say more than these numbers. */
export function perSecond(step: (index: number) => void, { stretches = 7, milliseconds = 250 } = {}): number {
  const run = (limit: number): number => {
    let done = 0
    const start = performance.now()
    let now = start
    while (now - start < limit) {
      for (let count = 0; count < 64; count++) step(done++)
      now = performance.now()
    }
    return (done / (now - start)) * 1000
  }
  run(milliseconds * 2)
  const rates = Array.from({ length: stretches }, () => run(milliseconds)).sort((a, b) => a - b)
  return rates[rates.length >> 1]!
}
