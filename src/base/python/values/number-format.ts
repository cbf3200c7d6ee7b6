import { numberRepr } from '../data/repr.ts'
import type { PyFloat } from '../index.ts'
import { valueError } from '../python-error.ts'

/** A number's size, without its sign, in one of Python's float formats (`e E f F g G %`). */
export function formatFloat(size: number, type: string, precision: number, alternate = false): string {
  if (!Number.isFinite(size)) return spellInfinite(size, type)
  const lower = type.toLowerCase()
  const digits = lower === '%' ? `${fixed(size * 100, precision)}%` : lower === 'f' ? fixed(size, precision) : undefined
  const text = digits ?? (lower === 'e' ? exponent(size, precision) : general(size, precision === 0 ? 1 : precision, alternate))
  return type === 'E' || type === 'G' ? text.toUpperCase() : text
}

function spellInfinite(size: number, type: string): string {
  const text = Number.isNaN(size) ? 'nan' : 'inf'
  const sign = type === '%' ? '%' : ''
  return (type === type.toUpperCase() && type !== '%' ? text.toUpperCase() : text) + sign
}

/** Python rounds the exact value half to even; so does toFixed up to 100 digits, except that it breaks exact ties upwards. */
function fixed(size: number, precision: number): string {
  if (precision > 100) throw valueError('precision too big')
  if (size >= 1e21) return BigInt(size).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '')
  const text = size.toFixed(precision)
  return isTie(size, precision) && /[13579]$/.test(text) ? stepDown(text) : text
}

/** Whether a value lies exactly between two numbers of this many decimals: only dyadic fractions can. */
function isTie(size: number, precision: number): boolean {
  if (precision > 22) return false
  const scaled = size * 2 * 10 ** precision
  return Number.isSafeInteger(scaled) && scaled % 2 === 1 && scaled / 2 / 10 ** precision === size && exactDecimals(size) === precision + 1
}

function exactDecimals(size: number): number {
  const text = size.toFixed(60).replace(/0+$/, '')
  return text.length - text.indexOf('.') - 1
}

function stepDown(text: string): string {
  return text.slice(0, -1) + String(Number(text.at(-1)) - 1)
}

/** As with `fixed`, toExponential breaks exact ties upwards where Python goes to the even digit. */
function exponent(size: number, precision: number): string {
  const places = Math.min(precision, 100)
  const [digits = '', power = ''] = size.toExponential(100).split('e')
  const kept = digits.slice(0, places === 0 ? 1 : places + 2)
  const isTie = /^\.?50*$/.test(digits.slice(kept.length))
  const text = isTie && /[02468]$/.test(kept) ? `${kept}e${power}` : size.toExponential(places)
  return text.replace(/(?<=e[+-])(?=\d$)/, '0')
}

function general(size: number, precision: number, alternate: boolean): string {
  const scientific = size === 0 ? 0 : Number(size.toExponential(Math.min(precision, 101) - 1).split('e')[1])
  const text =
    scientific < -4 || scientific >= precision ? exponent(size, precision - 1) : fixed(size, Math.max(0, precision - 1 - scientific))
  if (alternate || !text.includes('.')) return text
  return text.replace(/\.?0+(?=e|$)/, '')
}

/** The size of a number as `str()` shows it. */
export function plainNumber(value: number | bigint | PyFloat): string {
  return numberRepr(value).replace(/^-/, '')
}
