import type { BinaryOperator, CompareOperator, Expression } from '@rolecall/core/internal/python'
import {
  calculate,
  contains,
  equals,
  inOrder,
  isInt,
  isListValue,
  negate,
  normalize,
  numeric,
  PySet,
  PythonError,
  positive,
  Range,
  Tuple,
  truthy,
  typeError,
  typeName,
  type Value,
  valueError,
} from '@rolecall/core/internal/python'
import { constantIfThere } from './constant-of.ts'
import { isMutableDict, type MutableDict, newDict, newSet, refuseUnknown, sameKey, setItem } from './containers.ts'
import { has } from './methods.ts'
import { joinPaths } from './modules/os-modules.ts'
import type { Session } from './session.ts'
import { Builtin, NameRef, NativeObject, PathValue, Unknown } from './values.ts'

/** Python's `bool()`. */
export function isTrue(session: Session, value: Value): boolean {
  refuseUnknownTruth(session, value)
  return (value instanceof NativeObject ? value.truth?.(session) : undefined) ?? truthy(value)
}

function refuseUnknownTruth(session: Session, value: Value): void {
  // A class or function is true, whatever it does.
  if (value instanceof NameRef && value.declared) return
  refuseUnknown(session, value)
}

export function unary(session: Session, { operator, at }: Extract<Expression, { kind: 'unary' }>, operand: Value): Value {
  session.at = at
  if (operator === 'not') return !isTrue(session, operand)
  if (operand instanceof Unknown) return operand
  if (operator === '-') return (operand instanceof NativeObject && operand.operate?.(session, '*', operand, -1)) || negate(operand)
  if (operator === '+') return positive(operand)
  const inverted = operand instanceof NativeObject ? operand.operate?.(session, '^', operand, true) : undefined
  if (inverted !== undefined) return inverted
  if (!isInt(operand)) throw typeError(`bad operand type for unary ~: '${typeName(operand)}'`)
  return normalize(-BigInt(numeric(operand)) - 1n)
}

const types: readonly string[] = [
  'str',
  'int',
  'float',
  'bool',
  'complex',
  'list',
  'dict',
  'tuple',
  'set',
  'frozenset',
  'bytes',
  'type',
  'object',
]

/** `int | str`, as the tuple that `isinstance` takes: nothing else can be done with it in a config. */
function typeUnion(left: Value, right: Value): Value | undefined {
  const members = [left, right].map((value) => (value instanceof Tuple ? [...value.items] : [value]))
  const isType = (value: Value) => value === null || (value instanceof Builtin && types.includes(value.name))
  const isUnion = members.every((one) => one.length > 0 && one.every(isType)) && !members.flat().every((one) => one === null)
  return isUnion && !(left instanceof Tuple && right instanceof Tuple) ? new Tuple(members.flat()) : undefined
}

/** Python's binary operators, including `|`, `&` and `-` of dicts and sets. */
export function binary(session: Session, operator: BinaryOperator, first: Value, second: Value): Value {
  const left = withConstant(session, first)
  const right = withConstant(session, second)
  const unknown = unknownOf(session, left) ?? unknownOf(session, right)
  if (unknown !== undefined) return unknown
  const operated = operateNatively(session, operator, left, right)
  if (operated !== undefined) return operated
  if (left instanceof PySet && right instanceof PySet) {
    const found = setOperation(session, operator, left, right)
    if (found !== undefined) return found
  }
  if (operator === '/' && (left instanceof PathValue || right instanceof PathValue)) return joinPaths([left, right])
  if (isMutableDict(left) && isMutableDict(right) && session.counters.has(left)) return countersOf(session, operator, left, right)
  if (operator === '|' && isMutableDict(left) && isMutableDict(right)) return newDict(session, [...left, ...right])
  if (operator === '|') {
    const union = typeUnion(left, right)
    if (union !== undefined) return union
  }
  if (operator === '%' && typeof left === 'string') session.measure(right)
  if (operator === '*') checkRepeat(session, left, right)
  switch (operator) {
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
      return bitwise(operator, left, right)
    case '@':
      throw typeError(`unsupported operand type(s) for @: '${typeName(left)}' and '${typeName(right)}'`)
    default:
      return session.made(calculate(operator, left, right))
  }
}

/** What an object of ours, on either side, makes of an operator. */
export function operateNatively(
  session: Session,
  operator: BinaryOperator | CompareOperator,
  left: Value,
  right: Value,
): Value | undefined {
  const own = left instanceof NativeObject ? left.operate?.(session, operator, left, right) : undefined
  if (own !== undefined) return own
  return right instanceof NativeObject ? right.operate?.(session, operator, left, right) : undefined
}

/** `Counter` objects: only what is counted more than zero times stays. */
function countersOf(session: Session, operator: BinaryOperator, left: MutableDict, right: MutableDict): Value {
  const combine: Partial<Record<BinaryOperator, (a: number, b: number) => number>> = {
    '&': Math.min,
    '|': Math.max,
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
  }
  const run = combine[operator]
  if (run === undefined) throw typeError(`unsupported operand type(s) for ${operator}: 'Counter' and 'Counter'`)
  const made = newDict(session)
  const count = (dict: MutableDict, key: Value) => Number(dict.get(sameKey(session, dict, key)) ?? 0)
  for (const key of [...left.keys(), ...right.keys()]) {
    const total = run(count(left, key), count(right, key))
    if (total > 0) setItem(session, made, key, total)
  }
  session.counters.add(made)
  return made
}

/** `PROMPT + '…'`, where PROMPT is a text of a package that the root has. */
function withConstant(session: Session, value: Value): Value {
  return value instanceof NameRef && value.declared ? (constantIfThere(session, value) ?? value) : value
}

/** A list of a million items is refused before it is created. */
function checkRepeat(session: Session, left: Value, right: Value): void {
  const [sequence, times] = isInt(left) ? [right, left] : [left, right]
  if (!isInt(times)) return
  const length =
    typeof sequence === 'string' || isListValue(sequence) ? sequence.length : sequence instanceof Tuple ? sequence.items.length : 0
  const size = length * Math.max(0, Number(times))
  if (size > session.limits.memory) session.allocate(null, size)
}

/** An operation with something that only Python knows. */
export function unknownOf(session: Session, value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value
  if (!(value instanceof NameRef)) return undefined
  try {
    refuseUnknown(session, value)
  } catch (error) {
    return new Unknown(error as Unknown['error'], !value.declared)
  }
  return undefined
}

function setOperation(session: Session, operator: BinaryOperator, left: PySet, right: PySet): Value | undefined {
  const only = (from: PySet, other: PySet, wanted: boolean) => from.items.filter((item) => has(session, other, item) === wanted)
  switch (operator) {
    case '|':
      return newSet(session, [...left.items, ...right.items])
    case '&':
      return newSet(session, only(left, right, true))
    case '-':
      return newSet(session, only(left, right, false))
    case '^':
      return newSet(session, [...only(left, right, false), ...only(right, left, false)])
    default:
      return undefined
  }
}

function bitwise(operator: '&' | '|' | '^' | '<<' | '>>', left: Value, right: Value): Value {
  if (!isInt(left) || !isInt(right))
    throw typeError(`unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`)
  if (typeof left === 'boolean' && typeof right === 'boolean' && operator.length === 1)
    return operator === '&' ? left && right : operator === '|' ? left || right : left !== right
  const [a, b] = [BigInt(numeric(left)), BigInt(numeric(right))]
  if (operator.length === 2) {
    if (b < 0n) throw valueError('negative shift count')
    if (b > 10_000n) throw new PythonError('OverflowError', 'shift count is too large')
    return normalize(operator === '<<' ? a << b : a >> b)
  }
  return normalize(operator === '&' ? a & b : operator === '|' ? a | b : a ^ b)
}

export function holds(session: Session, operator: CompareOperator, left: Value, right: Value): boolean {
  if (session.strict) for (const value of [left, right]) if (value instanceof Unknown) refuseUnknown(session, value)
  if (operator === 'is') return left === right
  if (operator === 'is not') return left !== right
  for (const value of [left, right])
    if (value instanceof Unknown || (value instanceof NameRef && !value.declared)) refuseUnknown(session, value)
  switch (operator) {
    case '==':
      return isEqual(session, left, right)
    case '!=':
      return !isEqual(session, left, right)
    case 'in':
      return isIn(session, left, right)
    case 'not in':
      return !isIn(session, left, right)
    default:
      session.measure(left)
      session.measure(right)
      return inOrder(operator, left, right)
  }
}

function isEqual(session: Session, left: Value, right: Value): boolean {
  session.measure(left)
  session.measure(right)
  return equals(left, right)
}

function isIn(session: Session, item: Value, container: Value): boolean {
  if (container instanceof PySet) return has(session, container, item)
  if (isMutableDict(container)) return container.has(sameKey(session, container, item))
  refuseUnknown(session, container)
  if (container instanceof NativeObject && container.items) return container.items(session).some((one) => equals(one, item))
  session.measure(item)
  if (isListValue(container) || container instanceof Tuple) session.measure(container)
  else if (container instanceof Range) session.step(container.length)
  return contains(container, item)
}
