/**
 * The exponential function, rounded to the nearest double as the C library rounds it for Python's `math.exp`. That of JavaScript engines
 * differs in the last digit for some arguments.
 *
 * @example
 * exp(1) // => 2.718281828459045
 */
export function exp(x: number): number {
  if (!(x > -708 && x < 709)) return Math.exp(x)
  const twos = Math.round(x / Math.LN2)
  return powerOf(x, twos).high * 2 ** twos
}

/** The natural logarithm, rounded likewise. */
export function log(x: number): number {
  const near = Math.log(x)
  if (!(near > -708 && near < 709) || near === 0) return near
  // One step of Newton's method from a value that is right to almost all digits.
  const twos = Math.round(-near / Math.LN2)
  const rest = times(powerOf(-near, twos), x * 2 ** twos)
  const error = rest.high - 1 + rest.low
  return near + (error - (error * error) / 2)
}

/** A number as the sum of two doubles: 106 bits. */
type Double = { high: number; low: number }

/** The natural logarithm of 2 in three parts; products of the first with integers up to 2,048 are exact. */
const ln2 = [0.6931471805582987, 1.6465949582897082e-12, -1.0077949135905144e-28] as const

/** e to the power of `x`, divided by a power of two that makes it nearly 1. */
function powerOf(x: number, twos: number): Double {
  const rest = plus(plus({ high: x - twos * ln2[0], low: 0 }, product(-twos, ln2[1])), { high: -twos * ln2[2], low: 0 })
  let sum: Double = { high: 1, low: 0 }
  for (let term = 26; term > 0; term--) {
    const scaled = multiply(sum, rest)
    sum = plus({ high: 1, low: 0 }, divided(scaled, term))
  }
  return sum
}

function plus(one: Double, other: Double): Double {
  const high = one.high + other.high
  const added = high - one.high
  const lost = one.high - (high - added) + (other.high - added)
  return normal(high, lost + one.low + other.low)
}

function multiply(one: Double, other: Double): Double {
  const { high, low } = product(one.high, other.high)
  return normal(high, low + one.high * other.low + one.low * other.high)
}

function times(one: Double, factor: number): Double {
  return multiply(one, { high: factor, low: 0 })
}

function divided(one: Double, divisor: number): Double {
  const high = one.high / divisor
  const back = product(high, divisor)
  return normal(high, (one.high - back.high - back.low + one.low) / divisor)
}

/** The exact product of two doubles. */
function product(one: number, other: number): Double {
  const high = one * other
  const [a, b] = halves(one)
  const [c, d] = halves(other)
  return { high, low: a * c - high + a * d + b * c + b * d }
}

function halves(value: number): [number, number] {
  const shifted = value * 134_217_729
  const high = shifted - (shifted - value)
  return [high, value - high]
}

function normal(high: number, low: number): Double {
  const sum = high + low
  return { high: sum, low: low - (sum - high) }
}
