/**
 * The probability that a value of Student's t distribution is at least this far from 0, on either side.
 *
 * @example
 * twoSided(2.228, 10).toFixed(4) // => '0.0500'
 */
export function twoSided(t: number, degrees: number): number {
  return regularizedBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
}

/** The t that 95 % of the distribution lie within. */
export function criticalT(degrees: number): number {
  let [low, high] = [0, 1e6]
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2
    if (twoSided(middle, degrees) > 0.05) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The regularized incomplete beta function, by Lentz's continued fraction. */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const apart = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1))
  let found = d
  for (let step = 1; step <= 500; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step))
    d = 1 / apart(1 + even * d)
    c = apart(1 + even / c)
    found *= d * c
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1))
    d = 1 / apart(1 + odd * d)
    c = apart(1 + odd / c)
    found *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return found
}

/** Lanczos's approximation with g = 7 and nine terms. */
const lanczos: readonly number[] = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  const sum = lanczos.slice(1).reduce((all, term, place) => all + term / (shifted + place + 1), lanczos[0]!)
  const base = shifted + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum)
}
