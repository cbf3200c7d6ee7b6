import { PythonError, typeError, valueError } from '../python-error.ts'
import { checkBits, checkItems, checkLength, touch, touchBits } from '../python-limits.ts'
import { type PyFloat, pyFloat } from './data.ts'
import { pyRound } from './numbers.ts'
import { percentFormat } from './percent-format.ts'
import { escapeHtml } from './repr.ts'
import { joinTexts, plainText, type Text } from './text.ts'
import { isFloat, isInt, isListValue, isNumber, Markup, numeric, strOf, Tuple, typeName, Undefined, type Value } from './value.ts'

/** The operators of numbers, texts and lists. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**'

/** Python's binary operators. */
export function calculate(operator: ArithmeticOperator, a: Value, b: Value): Value {
  if (operator === '+') return add(a, b)
  if (a instanceof Undefined) throw a.error
  const isText = strOf(a) !== undefined
  if (b instanceof Undefined && !(operator === '%' && isText)) throw b.error
  if (isNumber(a) && isNumber(b)) return arithmetic(operator, a, b)
  if (operator === '*') return repeat(a, b)
  if (operator === '%' && isText) return percentFormat(a as string | Text | Markup, b)
  throw unsupported(operator, a, b)
}

/** Python's `+`: numbers add up, texts and lists are put together, and nothing else is. */
export function add(a: Value, b: Value): Value {
  if (typeof a === 'string' && typeof b === 'string') {
    checkLength(a.length + b.length)
    return a + b
  }
  if (isNumber(a) && isNumber(b)) return arithmetic('+', a, b)
  const left = strOf(a)
  const right = strOf(b)
  if (left !== undefined && right !== undefined) {
    checkLength(plainText(left).length + plainText(right).length)
    if (a instanceof Markup || b instanceof Markup) return new Markup(joinTexts([escapeHtml(a).text, escapeHtml(b).text]))
    return joinTexts([left, right])
  }
  if (isListValue(a) && isListValue(b)) {
    checkItems(a.length + b.length)
    touch((a.length + b.length) >> 5)
    return [...a, ...b]
  }
  if (a instanceof Tuple && b instanceof Tuple) {
    checkItems(a.items.length + b.items.length)
    touch((a.items.length + b.items.length) >> 5)
    return new Tuple([...a.items, ...b.items])
  }
  if (a instanceof Undefined) throw a.error
  if (b instanceof Undefined) throw b.error
  if (left !== undefined) throw typeError(`can only concatenate str (not "${typeName(b)}") to str`)
  if (isListValue(a)) throw typeError(`can only concatenate list (not "${typeName(b)}") to list`)
  if (a instanceof Tuple) throw typeError(`can only concatenate tuple (not "${typeName(b)}") to tuple`)
  throw unsupported('+', a, b)
}

export function negate(value: Value): Value {
  if (value instanceof Undefined) throw value.error
  if (!isNumber(value)) throw typeError(`bad operand type for unary -: '${typeName(value)}'`)
  if (isFloat(value)) return pyFloat(-Number(numeric(value)))
  const number = numeric(value)
  return typeof number === 'bigint' ? normalize(-number) : number === 0 ? 0 : -number
}

export function positive(value: Value): Value {
  if (value instanceof Undefined) throw value.error
  if (!isNumber(value)) throw typeError(`bad operand type for unary +: '${typeName(value)}'`)
  return typeof value === 'boolean' ? Number(value) : value
}

/** An int in its plainest form. */
export function normalize(value: bigint): number | bigint {
  return value >= -maxSafe && value <= maxSafe ? Number(value) : value
}

/** The int that a float truncates to. */
export function wholeNumber(number: number): number | bigint {
  if (!Number.isFinite(number)) {
    if (Number.isNaN(number)) throw valueError('cannot convert float NaN to integer')
    throw new PythonError('OverflowError', 'cannot convert float infinity to integer')
  }
  return normalize(BigInt(Math.trunc(number)))
}

/** Python's `round()`: the exact value, half to even. Without digits the result is an int. */
export function round(value: Value, digits?: number): Value {
  if (value instanceof Undefined) throw value.error
  if (!isNumber(value)) throw typeError(`type ${typeName(value)} doesn't define __round__ method`)
  if (isInt(value)) return normalize(roundWhole(BigInt(numeric(value)), digits ?? 0, false))
  const number = Number(numeric(value))
  if (digits === undefined) return wholeNumber(pyRound(number, 0))
  if (!Number.isFinite(number)) return number
  if (digits >= 0) return pyFloat(pyRound(number, Math.min(digits, 100)))
  const size = Math.abs(number)
  const rounded = Number(roundWhole(BigInt(Math.trunc(size)), digits, !Number.isInteger(size)))
  return pyFloat(number < 0 || Object.is(number, -0) ? -rounded : rounded)
}

/** Rounds at a digit before the point. `hasRest`: a fraction follows the number. */
function roundWhole(value: bigint, digits: number, hasRest: boolean): bigint {
  if (digits >= 0) return value
  const unit = 10n ** BigInt(Math.min(-digits, 5000))
  const rest = ((value % unit) + unit) % unit
  const below = value - rest
  const isUp = rest * 2n > unit || (rest * 2n === unit && (hasRest || (below / unit) % 2n !== 0n))
  return isUp ? below + unit : below
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER)

type Numeric = boolean | number | bigint | PyFloat

function arithmetic(operator: ArithmeticOperator, a: Numeric, b: Numeric): Value {
  if (operator === '/' || isFloat(a) || isFloat(b)) return floatArithmetic(operator, toFloat(a), toFloat(b))
  const x = numeric(a)
  const y = numeric(b)
  if (typeof x === 'number' && typeof y === 'number') {
    const small = smallArithmetic(operator, x, y)
    if (small !== undefined && Number.isSafeInteger(small)) return small === 0 ? 0 : small
  }
  return bigArithmetic(operator, BigInt(x), BigInt(y))
}

function smallArithmetic(operator: ArithmeticOperator, x: number, y: number): number | undefined {
  switch (operator) {
    case '+':
      return x + y
    case '-':
      return x - y
    case '*':
      return x * y
    case '//':
      // The rest is exact where the quotient of large numbers is rounded.
      return y === 0 ? undefined : (x - modulo(x, y)) / y
    case '%':
      return y === 0 ? undefined : modulo(x, y)
    default:
      return undefined
  }
}

/** The rest of a division, with the sign of the divisor. */
function modulo(x: number, y: number): number {
  const rest = x % y
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest
}

function bigArithmetic(operator: ArithmeticOperator, x: bigint, y: bigint): Value {
  switch (operator) {
    case '+':
      return normalize(x + y)
    case '-':
      return normalize(x - y)
    case '*':
      checkBits(bitsOf(x) + bitsOf(y))
      touchBits(bitsOf(x) + bitsOf(y))
      return normalize(x * y)
    case '**': {
      if (y < 0n) return inversePower(x, -y)
      if (x > 1n || x < -1n) {
        checkBits(bitsOf(x) * Number(y))
        touchBits(bitsOf(x) * Number(y))
      }
      return normalize(x ** y)
    }
    default: {
      if (y === 0n) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero')
      touchBits(bitsOf(x))
      const remainder = x % y
      const wraps = remainder !== 0n && remainder < 0n !== y < 0n
      if (operator === '%') return normalize(wraps ? remainder + y : remainder)
      return normalize(wraps ? x / y - 1n : x / y)
    }
  }
}

/** `x ** -y`: where the power is exact, so is its inverse, to the last digit; JavaScript's own power is not. */
function inversePower(x: bigint, y: bigint): Value {
  const power = Number(x) ** Number(y)
  return x !== 0n && Number.isSafeInteger(power) ? pyFloat(1 / power) : floatArithmetic('**', Number(x), -Number(y))
}

function floatArithmetic(operator: ArithmeticOperator, x: number, y: number): Value {
  switch (operator) {
    case '+':
      return pyFloat(x + y)
    case '-':
      return pyFloat(x - y)
    case '*':
      return pyFloat(x * y)
    case '**':
      return power(x, y)
    default: {
      if (y === 0) throw new PythonError('ZeroDivisionError', operator === '/' ? 'division by zero' : 'float floor division by zero')
      if (operator === '/') return pyFloat(x / y)
      const rest = x % y === 0 ? (y < 0 ? -0 : 0) : modulo(x, y)
      return pyFloat(operator === '%' ? rest : Math.round((x - rest) / y))
    }
  }
}

/** `pow(base, exponent, modulus)` of ints. */
export function powerModulo(base: Value, exponent: Value, modulus: Value): Value {
  if (![base, exponent, modulus].every(isInt)) throw typeError('pow() 3rd argument not allowed unless all arguments are integers')
  const [m, e] = [BigInt(modulus as bigint), BigInt(exponent as bigint)]
  if (m === 0n) throw new PythonError('ValueError', 'pow() 3rd argument cannot be 0')
  const start = calculate('%', base, modulus)
  let square = BigInt((e < 0n ? inverseModulo(BigInt(start as bigint), m) : start) as bigint)
  let result = 1n
  for (let left = e < 0n ? -e : e; left > 0n; left >>= 1n) {
    touchBits(2 * bitsOf(m))
    if (left & 1n) result = (result * square) % m
    square = (square * square) % m
  }
  return calculate('%', normalize(result), modulus)
}

/** The number whose product with `x` is 1 modulo `m`, by Euclid's algorithm. */
function inverseModulo(x: bigint, m: bigint): bigint {
  let [before, rest] = [x, m]
  let [factor, next] = [1n, 0n]
  while (rest !== 0n) {
    const quotient = before / rest
    ;[before, rest] = [rest, before - quotient * rest]
    ;[factor, next] = [next, factor - quotient * next]
  }
  if (before !== 1n && before !== -1n) throw new PythonError('ValueError', 'base is not invertible for the given modulus')
  return factor * before
}

function power(x: number, y: number): Value {
  if (x === 0 && y < 0) throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
  if (x === 1 || y === 0) return pyFloat(1)
  const result = x ** y
  if (Number.isNaN(result) && !Number.isNaN(x) && !Number.isNaN(y)) throw typeError('complex numbers are not supported')
  if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(y))
    throw new PythonError('OverflowError', "(34, 'Numerical result out of range')")
  return pyFloat(result)
}

function toFloat(value: Numeric): number {
  const number = Number(numeric(value))
  if (!Number.isFinite(number) && typeof value === 'bigint') throw new PythonError('OverflowError', 'int too large to convert to float')
  return number
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4
}

function repeat(a: Value, b: Value): Value {
  const [sequence, count] = isInt(a) ? [b, a] : [a, b]
  if (!isInt(count)) {
    if (strOf(a) !== undefined || isListValue(a) || a instanceof Tuple)
      throw typeError(`can't multiply sequence by non-int of type '${typeName(b)}'`)
    throw unsupported('*', a, b)
  }
  const times = Math.max(0, Number(count))
  const text = strOf(sequence)
  if (text !== undefined) {
    checkLength(plainText(text).length * times)
    const repeated = typeof text === 'string' ? text.repeat(times) : joinTexts(Array<Text>(times).fill(text))
    return sequence instanceof Markup ? new Markup(repeated) : repeated
  }
  const items = isListValue(sequence) ? sequence : sequence instanceof Tuple ? sequence.items : undefined
  if (items === undefined) throw unsupported('*', a, b)
  checkItems(items.length * times)
  touch((items.length * times) >> 5)
  const repeated = Array.from({ length: items.length * times }, (_, index) => items[index % items.length]!)
  return sequence instanceof Tuple ? new Tuple(repeated) : repeated
}

function unsupported(operator: ArithmeticOperator, a: Value, b: Value): PythonError {
  const shown = operator === '**' ? '** or pow()' : operator
  return typeError(`unsupported operand type(s) for ${shown}: '${typeName(a)}' and '${typeName(b)}'`)
}
