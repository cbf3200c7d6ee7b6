import type { BinaryOperator, CompareOperator } from '@rolecall/core/internal/python'
import {
  calculate,
  equals,
  isInt,
  isListValue,
  isNumber,
  notUnderstood,
  numpyRound,
  PythonError,
  plainNumber,
  pyFloat,
  Slice,
  sliceBounds,
  Tuple,
  truthy,
  type Value,
  valueError,
} from '@rolecall/core/internal/python'
import { exp, log } from '../../library/libm.ts'
import { builtins } from '../builtins.ts'
import { call } from '../call.ts'
import { itemsOf } from '../containers.ts'
import { binary, holds } from '../operators.ts'
import type { Session } from '../session.ts'
import { type Builtin, NativeObject } from '../values.ts'
import { defineModule, native, numberOf } from './define-module.ts'
import { MatrixValue } from './numpy-matrix.ts'
import { reduced, reductions } from './numpy-reductions.ts'
import { NumpyScalar } from './numpy-scalar.ts'

const comparisons = new Set<string>(['==', '!=', '<', '<=', '>', '>='])

/** A `numpy.ndarray` of one dimension: operators work on its items. */
class ArrayValue extends NativeObject {
  readonly typeName = 'ndarray'

  constructor(readonly values: Value[]) {
    super()
  }

  override assign(session: Session, key: Value, value: Value): void {
    if (!isInt(key)) throw notUnderstood(session.at, 'an assignment to this index of an array', 'use a number')
    this.#at(key)
    this.values[Number(key) < 0 ? Number(key) + this.values.length : Number(key)] = pyFloat(numberOf(value))
  }

  attribute(_: Session, name: string): Value | undefined {
    if (name === 'size') return this.values.length
    if (name === 'shape') return new Tuple([this.values.length])
    if (name === 'tolist') return native('tolist()', () => [...this.values])
    if (name === 'flatten') return native('flatten()', () => this)
    if (name === 'all') return native('all()', () => new NumpyScalar(this.values.every(truthy)))
    if (name === 'any') return native('any()', () => new NumpyScalar(this.values.some(truthy)))
    if (name === 'astype')
      return native('astype(dtype)', (session, [type], _, scope) => {
        return new ArrayValue(this.values.map((value) => call(session, type!, [value], undefined, scope)))
      })
    return Object.hasOwn(reductions, name) && !name.startsWith('nan') ? native(`${name}()`, () => reduced(name, this.values)) : undefined
  }

  override items(): readonly Value[] {
    return this.values
  }

  override item(session: Session, key: Value): Value {
    if (key instanceof Slice) {
      const [from, to, by] = sliceBounds(this.values.length, key.start, key.stop, key.step)
      return new ArrayValue(this.values.filter((_, index) => index >= from && index < to && (index - from) % by === 0))
    }
    const keys = columnOf(session, key)
    if (keys !== undefined) return new ArrayValue(this.#chosen(session, keys))
    if (!isInt(key)) throw notUnderstood(session.at, 'this index of an array', 'use a number, a slice, or an array of numbers or booleans')
    return this.#at(key)
  }

  #at(key: Value): Value {
    const found = this.values.at(Number(key))
    if (found === undefined) throw new PythonError('IndexError', 'index is out of bounds')
    return found
  }

  /** A mask keeps the items where it is true; numbers select items. */
  #chosen(session: Session, keys: readonly Value[]): Value[] {
    if (keys.length > 0 && keys.every((key) => typeof key === 'boolean')) {
      if (keys.length !== this.values.length) throw new PythonError('IndexError', 'boolean index did not match indexed array')
      return this.values.filter((_, index) => keys[index] === true)
    }
    if (!keys.every((key) => isInt(key))) throw notUnderstood(session.at, 'this index of an array', 'use numbers or booleans')
    return keys.map((key) => this.#at(key))
  }

  override operate(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value | undefined {
    const isComparison = comparisons.has(operator)
    const isLogical = operator === '&' || operator === '|' || operator === '^'
    if (!isComparison && !isLogical && !['+', '-', '*', '/', '//', '%', '**'].includes(operator)) return undefined
    const [a, b] = [columnOf(session, left), columnOf(session, right)]
    const [one, other] = [plainNumber(left), plainNumber(right)]
    if (a !== undefined && b !== undefined && a.length !== b.length) throw valueError('operands could not be broadcast together')
    const length = a?.length ?? b!.length
    session.step(length)
    return new ArrayValue(
      Array.from({ length }, (_, index) => {
        const [first, second] = [a ? a[index]! : one, b ? b[index]! : other]
        if (isLogical) return binary(session, operator, first, second)
        return isComparison ? holds(session, operator as CompareOperator, first, second) : calculate(operator as '+', first, second)
      }),
    )
  }
}

function columnOf(session: Session, value: Value): readonly Value[] | undefined {
  if (value instanceof ArrayValue) return value.values
  return isListValue(value) || value instanceof Tuple ? itemsOf(session, value) : undefined
}

/** A reduction of a list, of a list of lists, or of a one-dimensional array. */
function reduction(name: string): Builtin {
  return native(`${name}(*args, **kwargs)`, (session, args, kwargs) => {
    if (args.length !== 1 || (kwargs?.size ?? 0) > 0) throw notUnderstood(session.at, `numpy.${name} with these arguments`, 'use one list')
    const only = plainNumber(args[0]!)
    const given = isNumber(only) ? [only] : itemsOf(session, only)
    // Without an axis, the items of all rows are one list.
    const items = given.every((row) => row instanceof Tuple || isListValue(row))
      ? given.flatMap((row) => itemsOf(session, row).map(plainNumber))
      : given.map(plainNumber)
    if (!items.every((item) => isNumber(item)))
      throw notUnderstood(session.at, `numpy.${name} of what are not numbers`, 'use one list of numbers')
    return reduced(name, items)
  })
}

/** A function of one number, or of each item. */
function each(name: string, run: (number: number) => number): Builtin {
  return native(`${name}(x, /)`, (session, [given]) => {
    const value = plainNumber(given!)
    if (isNumber(value)) return new NumpyScalar(pyFloat(run(numberOf(value))))
    return new ArrayValue(itemsOf(session, value!).map((item) => pyFloat(run(numberOf(item)))))
  })
}

/** A test of one number, or of each item. */
function tests(name: string, run: (number: number) => boolean): Builtin {
  return native(`${name}(x, /)`, (session, [value]) => {
    const test = (item: Value) => run(numberOf(item))
    return isNumber(value) ? new NumpyScalar(test(value)) : new ArrayValue(itemsOf(session, value!).map(test))
  })
}

const array = (name: string) =>
  native(`${name}(object, dtype=None)`, (session, [items, type = null], _, scope) => {
    const typed = (value: Value) => (type === null ? value : call(session, type, [value], undefined, scope))
    // An array without dimensions is its one item.
    if (isNumber(items)) {
      const only = typed(items)
      return typeof only === 'boolean' ? new NumpyScalar(only) : only
    }
    const values = itemsOf(session, items!).map(plainNumber)
    if (values.some((value) => isListValue(value) || value instanceof Tuple || value instanceof ArrayValue))
      throw notUnderstood(session.at, 'an array of several dimensions', 'use lists of numbers')
    return new ArrayValue(values.map(typed))
  })

/** The part of numpy that tasks use: one-dimensional arrays and reductions. */
export const numpy = defineModule('numpy', {
  ...Object.fromEntries(Object.keys(reductions).map((name) => [name, reduction(name)])),
  zeros: native('zeros(shape)', (session, [shape]) => {
    const [rows = 0, columns, more] = isInt(shape!) ? [Number(shape)] : itemsOf(session, shape!).map((size) => numberOf(size))
    if (more !== undefined) throw notUnderstood(session.at, 'an array of several dimensions', 'use two at most')
    session.allocate(null, rows * (columns ?? 1))
    session.step(rows * (columns ?? 1))
    const zeros = (length: number) => Array.from({ length }, () => pyFloat(0))
    return columns === undefined ? new ArrayValue(zeros(rows)) : new MatrixValue(Array.from({ length: rows }, () => zeros(columns)))
  }),
  arange: native('arange(start, stop=None, step=1)', (session, given) => {
    const [start, stop, step = 1] = given[1] === undefined || given[1] === null ? [0, given[0], given[2]] : given
    if (![start, stop, step].every((one) => isInt(one)) || step === 0)
      throw notUnderstood(session.at, 'numpy.arange of what are not whole numbers', 'use range')
    const [from, to, by] = [numberOf(start), numberOf(stop), numberOf(step)]
    const length = Math.max(0, Math.ceil((to - from) / by))
    session.allocate(null, length)
    return new ArrayValue(Array.from({ length }, (_, index) => from + index * by))
  }),
  linspace: native('linspace(start, stop, num=50, endpoint=True)', (session, [start, stop, num = 50, endpoint = true]) => {
    const [from, to, length] = [numberOf(start), numberOf(stop), numberOf(num)]
    const parts = truthy(endpoint) ? length - 1 : length
    session.allocate(null, length)
    const at = (index: number) => (index === parts ? to : from + index * ((to - from) / parts))
    return new ArrayValue(Array.from({ length }, (_, index) => pyFloat(index === 0 ? from : at(index))))
  }),
  array: array('array'),
  asarray: array('asarray'),
  exp: each('exp', exp),
  log: each('log', log),
  log1p: each('log1p', Math.log1p),
  sqrt: each('sqrt', Math.sqrt),
  abs: each('abs', Math.abs),
  round: native('round(a, decimals=0)', (session, [value, digits = 0]) => {
    const rounded = (item: Value) => (isInt(item) ? item : pyFloat(numpyRound(numberOf(item), numberOf(digits))))
    const only = plainNumber(value!)
    return isNumber(only)
      ? isInt(only)
        ? only
        : new NumpyScalar(pyFloat(numpyRound(numberOf(only), numberOf(digits))))
      : new ArrayValue(itemsOf(session, value!).map(rounded))
  }),
  array_equal: native('array_equal(a1, a2)', (session, [first, second]) => {
    const [left, right] = [itemsOf(session, first!), itemsOf(session, second!)]
    session.step(left.length)
    return left.length === right.length && left.every((item, index) => equals(item, right[index]!))
  }),
  isnan: tests('isnan', Number.isNaN),
  isfinite: tests('isfinite', Number.isFinite),
  isinf: tests('isinf', (number) => Math.abs(number) === Number.POSITIVE_INFINITY),
  ...Object.fromEntries(['float64', 'float32', 'int64', 'int32', 'bool_'].map((type) => [type, builtins.get(type.replace(/\d+|_/, ''))!])),
  nan: Number.NaN,
  NaN: Number.NaN,
  NAN: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  pi: Math.PI,
})
