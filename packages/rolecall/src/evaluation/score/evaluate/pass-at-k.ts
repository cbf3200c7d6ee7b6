/**
 * The probability that at least one of k answers is right, if c of n were.
 *
 * @example
 * passAtK({ n: 2, c: 1, k: 1 }) // => 0.5
 */
export function passAtK({ n, c, k }: { n: number; c: number; k: number }): number {
  if (n - c < k) return 1
  let none = 1
  for (let total = n - c + 1; total <= n; total++) none *= 1 - k / total
  return 1 - none
}

/** G-Pass@k: the probability that at least the fraction t of k answers is right (arXiv 2412.13147). */
export function gPassAtK({ n, c, k, t }: { n: number; c: number; k: number; t: number }): number {
  return atLeast(n, c, k, Math.max(Math.ceil(k * t), 1))
}

/** The mean of G-Pass@k over fractions above one half. */
export function mgPassAtK({ n, c, k }: { n: number; c: number; k: number }): number {
  let sum = 0
  for (let right = Math.ceil(k / 2) + 1; right <= k; right++) sum += atLeast(n, c, k, right)
  return (2 * sum) / k
}

/** The probability of at least `least` right answers in k draws from n answers, c of them right. */
function atLeast(n: number, c: number, k: number, least: number): number {
  if (least > Math.min(c, k) || k > n) return 0
  let ways = 0n
  for (let right = least; right <= Math.min(c, k); right++) ways += choose(c, right) * choose(n - c, k - right)
  return ratio(ways, choose(n, k))
}

function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n
  let ways = 1n
  for (let step = 1; step <= k; step++) ways = (ways * BigInt(n - step + 1)) / BigInt(step)
  return ways
}

/** A fraction of integers that may be too large for floats. */
function ratio(above: bigint, below: bigint): number {
  const digits = 10n ** 18n
  return Number((above * digits) / below) / Number(digits)
}
