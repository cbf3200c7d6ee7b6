import { pyFloat } from '../index.ts'
import { bind, positional } from '../methods/bind.ts'
import { PythonError, valueError } from '../python-error.ts'
import { numeric } from '../values/equals.ts'
import { repr } from '../values/repr.ts'
import { plainText } from '../values/text.ts'
import { isFloat, isInt, isNumber, type Kwargs, type Value } from '../values/value.ts'
import type { Session } from './session.ts'
import { Unknown } from './values.ts'

/** `int(…)`. */
export function toInt(_: Session, args: readonly Value[], kwargs: Kwargs): Value {
  const [value = 0, base] = bind('int', ['x', 'base'], 0, args, kwargs)
  if (value instanceof Unknown) return value
  if (isInt(value)) return typeof value === 'boolean' ? Number(value) : value
  if (isFloat(value)) {
    const number = Number(numeric(value))
    if (!Number.isFinite(number)) throw new PythonError('OverflowError', 'cannot convert float infinity to integer')
    return Number.isSafeInteger(Math.trunc(number)) ? Math.trunc(number) || 0 : BigInt(Math.trunc(number))
  }
  const text = typeof value === 'string' ? value.trim().replace(/(?<=\d)_(?=\d)/g, '') : undefined
  const radix = base === undefined ? 10 : Number(base as number)
  if (text === undefined || text.length > 4300 || (radix === 10 ? !/^[-+]?\d+$/.test(text) : !/^[-+]?[\da-zA-Z]+$/.test(text)))
    throw valueError(`invalid literal for int() with base ${radix}: ${plainText(repr(value))}`)
  const parsed = radix === 10 ? BigInt(text.replace('+', '')) : BigInt(Number.parseInt(text, radix) || 0)
  return Number.isSafeInteger(Number(parsed)) ? Number(parsed) : parsed
}

/** `float(…)`. */
export function toFloat(_: Session, args: readonly Value[], kwargs: Kwargs): Value {
  positional('float', 0, 1, args, kwargs)
  const [value = 0] = args
  if (value instanceof Unknown) return value
  if (isNumber(value)) return pyFloat(Number(numeric(value)))
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  const named = /^([-+]?)(inf|infinity|nan)$/.exec(text)
  if (named) return named[2] === 'nan' ? Number.NaN : named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(text)) throw valueError(`could not convert string to float: ${plainText(repr(value))}`)
  return pyFloat(Number(text))
}
