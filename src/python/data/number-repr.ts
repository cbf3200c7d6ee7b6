import { PyFloat } from './value.ts'

/** Python refuses to turn longer ints into text or back, as that takes quadratic time (sys.set_int_max_str_digits). */
export const maxIntDigits = 4300

/** Python's `repr()` of an int or a float. */
export function numberRepr(value: number | bigint | PyFloat): string {
  if (value instanceof PyFloat) return floatRepr(value.value)
  if (typeof value === 'bigint') return bigintRepr(value)
  if (Number.isSafeInteger(value)) return String(value)
  // String() of a large number rounds its last digits; an int shows all of them.
  return Number.isInteger(value) ? BigInt(value).toString() : floatRepr(value)
}

function bigintRepr(value: bigint): string {
  const text = value.toString()
  if (text.length - (value < 0n ? 1 : 0) <= maxIntDigits) return text
  throw new Error(`an int of more than ${maxIntDigits} digits cannot be turned into text (Python's limit)`)
}

/** JavaScript and Python find the same shortest digits; they differ in when to use an exponent and how to write it. */
function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  const size = Math.abs(value)
  if (size === Infinity) return value < 0 ? '-inf' : 'inf'
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  if (size < 1e-4 || size >= 1e16) return value.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0') // at least two digits
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
