import { formatValue } from '../../jinja/methods/format-method.ts'
import { PythonError, typeError, valueError } from '../../jinja/python-error.ts'
import { getItem } from '../../jinja/runtime/attributes.ts'
import { calculate, negate, normalize, positive } from '../../jinja/values/arithmetic.ts'
import { inOrder } from '../../jinja/values/compare.ts'
import { contains } from '../../jinja/values/contains.ts'
import { equals, numeric } from '../../jinja/values/equals.ts'
import { repr, str } from '../../jinja/values/repr.ts'
import { sliceValue } from '../../jinja/values/slice.ts'
import { plainText } from '../../jinja/values/text.ts'
import { truthy } from '../../jinja/values/truth.ts'
import { typeName } from '../../jinja/values/type-name.ts'
import { Undefined } from '../../jinja/values/undefined.ts'
import { Generator, isInt, isListValue, type Kwargs, Range, Slice, Tuple, type Value } from '../../jinja/values/value.ts'
import { notUnderstood } from '../import-error.ts'
import type { Argument, BinaryOperator, Clause, CompareOperator, Entry, Expression, FormattedPart } from '../syntax/ast.ts'
import { assign } from './assign.ts'
import { attributeOf } from './attributes.ts'
import { builtins } from './builtins.ts'
import { call } from './call.ts'
import { isMutableDict, newDict, newSet, sameKey, setItem } from './dicts.ts'
import { itemsOf, refuseUnknown } from './items.ts'
import { has, methodOf, pairsOf } from './methods.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { ellipsis, ModuleValue, NameRef, PySet, Unknown, UserFunction } from './values.ts'

type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>

/** The value of an expression. */
export function evaluate(session: Session, node: Expression, scope: Scope): Value {
  session.step()
  session.enter(node.at)
  const value = evaluateNode(session, node, scope)
  session.leave()
  return value
}

/** As `evaluate`; under --lenient what cannot be understood becomes unknown, so that only the entry that needs it is lost. */
export function evaluatePart(session: Session, node: Expression, scope: Scope): Value {
  if (!session.lenient) return evaluate(session, node, scope)
  return session.attempt(
    () => evaluate(session, node, scope),
    (error) => new Unknown(error),
  )
}

function evaluateNode(session: Session, node: Expression, scope: Scope): Value {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'name':
      return nameValue(session, node, scope)
    case 'formatted':
      return formatted(session, node.parts, node, scope)
    case 'list':
      return list(session, node, scope)
    case 'tuple':
      return new Tuple(spread(session, node.items, scope))
    case 'set':
      return newSet(session, spread(session, node.items, scope))
    case 'dict':
      return dict(session, node.entries, scope)
    case 'comprehension':
      return comprehension(session, node, scope)
    case 'dict-comprehension':
      return dictComprehension(session, node, scope)
    case 'attribute': {
      const object = evaluate(session, node.object, scope)
      session.at = node.at
      return attributeOf(session, object, node.name)
    }
    case 'item': {
      const object = evaluate(session, node.object, scope)
      const key = evaluate(session, node.key, scope)
      session.at = node.object.at
      return itemAt(session, object, key)
    }
    case 'slice': {
      const part = (given: Expression | undefined) => (given ? evaluate(session, given, scope) : null)
      return new Slice(part(node.start), part(node.stop), part(node.step))
    }
    case 'call':
      return callNode(session, node, scope)
    case 'unary':
      return unary(session, node, evaluate(session, node.operand, scope))
    case 'and':
    case 'or': {
      const left = evaluate(session, node.left, scope)
      return isTrue(session, left) === (node.kind === 'or') ? left : evaluate(session, node.right, scope)
    }
    case 'binary': {
      const left = evaluate(session, node.left, scope)
      const right = evaluate(session, node.right, scope)
      session.at = node.at
      return binary(session, node.operator, left, right)
    }
    case 'compare':
      return compareChain(session, node, scope)
    case 'condition':
      return evaluate(session, isTrue(session, evaluate(session, node.test, scope)) ? node.value : node.otherwise, scope)
    case 'lambda': {
      const defaults = new Map<string, Value>()
      for (const { name, byDefault } of node.parameters) if (byDefault) defaults.set(name, evaluate(session, byDefault, scope))
      return new UserFunction('<lambda>', node.parameters, node.body, scope, defaults)
    }
    case 'walrus': {
      const value = evaluate(session, node.value, scope)
      scope.function.set(node.name, value)
      return value
    }
    case 'ellipsis':
      return ellipsis
    case 'bytes':
      return new Unknown(notUnderstood(node.at, 'a bytes literal', 'write a string without the b before it'))
    case 'star':
      throw notUnderstood(node.at, 'a "*" here', 'put brackets around it: [*LIST]')
    case 'foreign':
      throw notUnderstood(node.at, node.construct, node.fix)
    default:
      return node satisfies never
  }
}

/** Python's `bool()`. */
export function isTrue(session: Session, value: Value): boolean {
  refuseUnknownTruth(session, value)
  return value instanceof PySet ? value.dict.size > 0 : truthy(value)
}

function refuseUnknownTruth(session: Session, value: Value): void {
  // A class or function is true, whatever it does.
  if (value instanceof NameRef && value.declared) return
  refuseUnknown(session, value)
}

function nameValue(session: Session, { name, at }: Node<'name'>, scope: Scope): Value {
  const own = scope.get(name)
  const found = own === undefined ? builtins.get(name) : own
  if (found !== undefined) return found
  if (name === '__name__') return 'config'
  if (name === '__file__') return scope.file
  session.at = at
  return session.name(name, name, false)
}

function list(session: Session, node: Extract<Expression, { items: Expression[] }>, scope: Scope): Value {
  const items = spread(session, node.items, scope)
  for (const [index, remark] of (node.remarks ?? []).entries()) session.remark(items, index, remark)
  return items
}

function spread(session: Session, nodes: readonly Expression[], scope: Scope): Value[] {
  const items: Value[] = []
  for (const node of nodes) {
    if (node.kind === 'star') {
      const value = evaluate(session, node.value, scope)
      session.at = node.at
      for (const item of itemsOf(session, value)) items.push(item)
    } else items.push(evaluatePart(session, node, scope))
  }
  return session.allocate(items, items.length)
}

function dict(session: Session, entries: readonly Entry[], scope: Scope): Value {
  const made = newDict(session)
  for (const { key, value, remark } of entries) {
    if (key === undefined) {
      const given = evaluate(session, value, scope)
      session.at = value.at
      refuseUnknown(session, given)
      for (const [name, item] of pairsOf(session, given)) setItem(session, made, name, item)
    } else {
      const name = evaluate(session, key, scope)
      session.at = key.at
      setItem(session, made, name, evaluatePart(session, value, scope))
      session.remark(made, name, remark)
    }
  }
  return made
}

function comprehension(session: Session, { of, item, clauses }: Node<'comprehension'>, scope: Scope): Value {
  const items: Value[] = []
  forEach(session, clauses, scope, (inner) => {
    session.allocate(null, 1)
    items.push(evaluatePart(session, item, inner))
  })
  if (of === 'set') return newSet(session, items)
  return of === 'generator' ? new Generator(items[Symbol.iterator]()) : items
}

function dictComprehension(session: Session, { key, value, clauses }: Node<'dict-comprehension'>, scope: Scope): Value {
  const made = newDict(session)
  forEach(session, clauses, scope, (inner) => {
    const name = evaluate(session, key, inner)
    session.at = key.at
    setItem(session, made, name, evaluatePart(session, value, inner))
  })
  return made
}

function forEach(session: Session, clauses: readonly Clause[], scope: Scope, run: (scope: Scope) => void): void {
  const inner = new Scope(scope.file, scope, 'comprehension')
  const visit = (index: number) => {
    const clause = clauses[index]
    if (clause === undefined) {
      run(inner)
      return
    }
    // Python evaluates the first list outside the comprehension.
    const items = evaluate(session, clause.items, index === 0 ? scope : inner)
    session.at = clause.items.at
    for (const item of [...itemsOf(session, items)]) {
      assign(session, clause.target, item, inner)
      if (clause.tests.every((test) => isTrue(session, evaluate(session, test, inner)))) visit(index + 1)
    }
  }
  visit(0)
}

function callNode(session: Session, node: Node<'call'>, scope: Scope): Value {
  const { callee } = node
  if (callee.kind === 'attribute') {
    const object = evaluate(session, callee.object, scope)
    session.at = callee.at
    const method = methodOf(object, callee.name)
    if (method !== undefined) {
      const { args, kwargs } = readArguments(session, node.args, scope)
      session.at = callee.at
      session.step()
      return method(session, object as never, args, kwargs, scope)
    }
    const attribute = attributeOf(session, object, callee.name)
    const { args, kwargs } = readArguments(session, node.args, scope)
    session.at = callee.at
    return call(session, attribute, args, kwargs, scope)
  }
  const called = evaluate(session, callee, scope)
  if (called === builtins.get('dict')) return dictCall(session, node, scope)
  const { args, kwargs } = readArguments(session, node.args, scope)
  session.at = node.at
  return call(session, called, args, kwargs, scope)
}

/** `dict(…)`, whose entries keep their comments and may be written `"key": value`. */
function dictCall(session: Session, { args, at }: Node<'call'>, scope: Scope): Value {
  const made = newDict(session)
  for (const { value, name, key, star, remark } of args) {
    if (star === '*') throw notUnderstood(value.at, 'a "*" in dict(…)', 'write the entries out')
    if (name === undefined && key === undefined) {
      const given = evaluate(session, value, scope)
      session.at = at
      refuseUnknown(session, given)
      for (const [entry, item] of pairsOf(session, given)) setItem(session, made, entry, item)
    } else {
      const entry = name ?? evaluate(session, key!, scope)
      setItem(session, made, entry, evaluatePart(session, value, scope))
      session.remark(made, entry, remark)
    }
  }
  return made
}

function readArguments(session: Session, given: readonly Argument[], scope: Scope): { args: Value[]; kwargs: Kwargs } {
  const args: Value[] = []
  let kwargs: Map<string, Value> | undefined
  for (const { value, name, key, star } of given) {
    if (key !== undefined) throw notUnderstood(key.at, 'a ":" in a call', 'write {"key": value}')
    const result = name === undefined ? evaluate(session, value, scope) : evaluatePart(session, value, scope)
    if (star === '*') for (const item of itemsOf(session, result)) args.push(item)
    else if (name === undefined && star === undefined) args.push(result)
    else {
      kwargs ??= new Map()
      if (name !== undefined) kwargs.set(name, result)
      else
        for (const [entry, item] of pairsOf(session, result)) {
          if (typeof entry !== 'string') throw typeError('keywords must be strings')
          kwargs.set(entry, item)
        }
    }
  }
  return { args, kwargs }
}

function unary(session: Session, { operator, at }: Node<'unary'>, operand: Value): Value {
  session.at = at
  if (operator === 'not') return !isTrue(session, operand)
  if (operand instanceof Unknown) return operand
  if (operator === '-') return negate(operand)
  if (operator === '+') return positive(operand)
  if (!isInt(operand)) throw typeError(`bad operand type for unary ~: '${typeName(operand)}'`)
  return normalize(-BigInt(numeric(operand)) - 1n)
}

/** Python's operators, of which `|`, `&` and `-` are for dicts and sets, too. */
export function binary(session: Session, operator: BinaryOperator, left: Value, right: Value): Value {
  const unknown = unknownOf(session, left) ?? unknownOf(session, right)
  if (unknown !== undefined) return unknown
  if (left instanceof PySet && right instanceof PySet) {
    const found = setOperation(session, operator, left, right)
    if (found !== undefined) return found
  }
  if (operator === '|' && isMutableDict(left) && isMutableDict(right)) return newDict(session, [...left, ...right])
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

/** A list of a million items is refused before it is made. */
function checkRepeat(session: Session, left: Value, right: Value): void {
  const [sequence, times] = isInt(left) ? [right, left] : [left, right]
  if (!isInt(times)) return
  const length =
    typeof sequence === 'string' || isListValue(sequence) ? sequence.length : sequence instanceof Tuple ? sequence.items.length : 0
  const size = length * Math.max(0, Number(times))
  if (size > session.limits.memory) session.allocate(null, size)
}

/** An operation with something that only Python knows. */
function unknownOf(session: Session, value: Value): Unknown | undefined {
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

function compareChain(session: Session, { first, rest }: Node<'compare'>, scope: Scope): Value {
  let left = evaluate(session, first, scope)
  for (const { operator, operand } of rest) {
    const right = evaluate(session, operand, scope)
    session.at = operand.at
    if (!holds(session, operator, left, right)) return false
    left = right
  }
  return true
}

function holds(session: Session, operator: CompareOperator, left: Value, right: Value): boolean {
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
  if (left instanceof PySet && right instanceof PySet)
    return left.dict.size === right.dict.size && left.items.every((item) => has(session, right, item))
  session.measure(left)
  session.measure(right)
  return equals(left, right)
}

function isIn(session: Session, item: Value, container: Value): boolean {
  if (container instanceof PySet) return has(session, container, item)
  if (isMutableDict(container)) return container.has(sameKey(session, container, item))
  refuseUnknown(session, container)
  session.measure(item)
  if (isListValue(container) || container instanceof Tuple) session.measure(container)
  else if (container instanceof Range) session.step(container.length)
  return contains(container, item)
}

/** `object[key]`. */
export function itemAt(session: Session, object: Value, key: Value): Value {
  if (object instanceof Unknown) return object
  if (object instanceof NameRef) return unknownOf(session, object)!
  if (object instanceof ModuleValue) return new Unknown(notUnderstood(session.at, `${object.name}[…]`, 'write the value out'))
  if (key instanceof Unknown) return key
  if (key instanceof Slice && !isMutableDict(object)) return session.made(sliceValue(object, key.start, key.stop, key.step))
  if (isMutableDict(object)) {
    const value = object.get(sameKey(session, object, key))
    if (value === undefined) throw new PythonError('KeyError', plainText(repr(key)))
    return value
  }
  const isSequence = isListValue(object) || object instanceof Tuple || object instanceof Range || typeof object === 'string'
  if (!isSequence) throw typeError(`'${typeName(object)}' object is not subscriptable`)
  if (!isInt(key)) throw typeError(`${typeName(object)} indices must be integers or slices, not ${typeName(key)}`)
  const found = getItem(object, key)
  if (found instanceof Undefined) throw new PythonError('IndexError', `${typeName(object)} index out of range`)
  return found
}

function formatted(session: Session, parts: readonly FormattedPart[], node: Node<'formatted'>, scope: Scope): Value {
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const value = evaluate(session, part.value, scope)
    session.at = part.value.at
    if ((value instanceof NameRef && !value.declared) || (value instanceof Unknown && value.fromUndeclared)) {
      // Documents show f-strings whose names they do not define.
      session.note('unknown-name', `nothing gives "${part.written}" a value; it is left as it is written`, part.value.at)
      text += part.written
      continue
    }
    if (value instanceof Unknown) return value
    session.measure(value)
    const spec = part.format ? formatted(session, part.format, node, scope) : ''
    if (typeof spec !== 'string') return spec
    const converted =
      part.conversion === 'r' || part.conversion === 'a' ? plainText(repr(value)) : part.conversion === 's' ? plainText(str(value)) : value
    text += plainText(formatValue(value instanceof NameRef ? `<class '${value.path}'>` : converted, spec))
  }
  return session.made(text)
}
