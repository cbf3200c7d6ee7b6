import type { BinaryOperator, CompareOperator } from '@rolecall/core/internal/python'
import {
  isFloat,
  isInt,
  isNumber,
  numeric,
  numpyRound,
  type PyFloat,
  plainNumber,
  plainText,
  pyFloat,
  repr,
  Tuple,
  truthy,
  typeError,
  type Value,
} from '@rolecall/core/internal/python'
import { call } from '../call.ts'
import { binary, holds } from '../operators.ts'
import type { Session } from '../session.ts'
import { NativeObject } from '../values.ts'
import { native } from './define-module.ts'

const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>=']
const withoutScalars: readonly string[] = ['in', 'not in', 'is', 'is not']

/** numpy's `bool`, `int64` or `float64`: no `bool` or `int` of Python, which shows in `+` of booleans and in JSON; and numpy rounds floats in its own way. */
export class NumpyScalar extends NativeObject {
  readonly typeName: string

  constructor(override readonly number: boolean | number | bigint | PyFloat) {
    super()
    this.typeName = typeof number === 'boolean' ? 'numpy.bool' : isFloat(number) ? 'numpy.float64' : 'numpy.int64'
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name === 'item' || name === 'tolist') return native(`${name}()`, () => this.number)
    if (name !== 'astype') return undefined
    return native('astype(dtype)', (session, [type], _, scope) => call(session, type!, [this.number], undefined, scope))
  }

  override show(): string {
    return typeof this.number === 'boolean' ? (this.number ? 'True' : 'False') : plainText(repr(this.number))
  }

  override truth(): boolean {
    return truthy(this.number)
  }

  override operate(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value | undefined {
    const [first, second] = [plainNumber(left), plainNumber(right)]
    if (withoutScalars.includes(operator) || first instanceof NativeObject || second instanceof NativeObject) return undefined
    if (comparisons.includes(operator)) return new NumpyScalar(holds(session, operator as CompareOperator, first, second))
    const made = typeof first === 'boolean' && typeof second === 'boolean' ? logical(operator, first, second) : undefined
    const found = made ?? binary(session, operator as BinaryOperator, first, second)
    return isNumber(first) && isNumber(second) && (isInt(found) || isFloat(found)) ? new NumpyScalar(found) : found
  }
}

/** `round(…)` of a number of numpy; undefined for one that is rounded as Python's. */
export function roundedByNumpy(value: Value, digits: number | undefined): Value | undefined {
  if (!(value instanceof NumpyScalar) || !isFloat(value.number) || digits === undefined) return undefined
  const number = Number(numeric(value.number))
  return Number.isFinite(number) ? new NumpyScalar(pyFloat(numpyRound(number, digits))) : value
}

/** What numpy makes of operators that add or multiply in Python. */
function logical(operator: string, left: boolean, right: boolean): boolean | undefined {
  if (operator === '-') throw typeError('numpy boolean subtract, the `-` operator, is not supported, use `^` or logical_xor instead.')
  if (operator === '+') return left || right
  return operator === '*' ? left && right : undefined
}

/** A value in which numpy's numbers are Python's. */
export function withoutNumpy(value: Value): Value {
  return replaced(value, ({ number }) => number)
}

/** A value as JSON has it: the harness writes numpy's integers as numbers, and its booleans as texts. */
export function numpyInJson(value: Value): Value {
  return replaced(value, (one) => (typeof one.number === 'boolean' ? one.show() : one.number))
}

function replaced(value: Value, by: (one: NumpyScalar) => Value): Value {
  if (value instanceof NumpyScalar) return by(value)
  if (Array.isArray(value)) return value.map((item) => replaced(item as Value, by))
  return value instanceof Tuple ? new Tuple(value.items.map((item) => replaced(item, by))) : value
}
