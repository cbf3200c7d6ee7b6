import type { Clause, Entry, Expression, FormattedPart } from '@rolecall/core/internal/python'
import {
  convert,
  formatValue,
  Generator,
  notUnderstood,
  plainNumber,
  plainText,
  Slice,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import { attributeOf, itemAt } from './access.ts'
import { assign } from './assign.ts'
import { builtins } from './builtins.ts'
import { evaluateCall } from './call.ts'
import { constantOf } from './constant-of.ts'
import { itemsOf, iterate, newDict, newSet, refuseUnknown, setItem } from './containers.ts'
import { knownSet } from './known-tables.ts'
import { pairsOf } from './methods.ts'
import { binary, holds, isTrue, operateNatively, unary } from './operators.ts'
import { productOfTexts } from './product-of-texts.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { ellipsis, NameRef, NativeObject, PathValue, Unknown, UserFunction } from './values.ts'

type Node<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>

/** The value of an expression. */
export function evaluate(session: Session, node: Expression, scope: Scope): Value {
  session.step()
  session.enter(node.at)
  const value = evaluateNode(session, node, scope)
  session.leave()
  return value
}

/** As `evaluate`; under --lenient unsupported expressions become unknown, so that only the entry that needs them is lost. */
export function evaluatePart(session: Session, node: Expression, scope: Scope): Value {
  if (!session.isLenientHere) return evaluate(session, node, scope)
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
      return formatParts(session, node.parts, scope)
    case 'list':
      return list(session, node, scope)
    case 'tuple':
      return new Tuple(spread(session, node.items, scope))
    case 'set':
      return newSet(session, spread(session, node.items, scope))
    case 'dict':
      return dict(session, node.entries, scope)
    case 'comprehension':
      return (session.strict ? knownSet(session, node) : undefined) ?? comprehension(session, node, scope)
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
      const part = (given: Expression | undefined) => (given ? plainNumber(evaluate(session, given, scope)) : null)
      return new Slice(part(node.start), part(node.stop), part(node.step))
    }
    case 'call':
      return evaluateCall(session, node, scope)
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
    case 'yield':
      return yieldValue(session, node, scope)
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

/** `yield`, whose own value is None: nothing is sent to generators. */
function yieldValue(session: Session, { value, isFrom, at }: Node<'yield'>, scope: Scope): Value {
  const { yielded } = scope.function
  if (yielded === undefined) throw notUnderstood(at, '"yield"', 'write the list out: a config is plain data')
  const result = value === undefined ? null : evaluate(session, value, scope)
  const items = isFrom ? itemsOf(session, result) : [result]
  session.allocate(null, items.length)
  for (const item of items) yielded.push(item)
  return null
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
  const texts = session.strict ? productOfTexts(session, item, clauses, scope) : undefined
  const items: Value[] = texts ?? []
  if (texts === undefined)
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
    for (const item of items instanceof Generator ? iterate(session, items) : [...itemsOf(session, items)]) {
      assign(session, clause.target, item, inner)
      if (clause.tests.every((test) => isTrue(session, evaluate(session, test, inner)))) visit(index + 1)
    }
  }
  visit(0)
}

function compareChain(session: Session, { first, rest }: Node<'compare'>, scope: Scope): Value {
  let left = evaluate(session, first, scope)
  for (const { operator, operand } of rest) {
    const right = evaluate(session, operand, scope)
    session.at = operand.at
    const operated = rest.length === 1 ? operateNatively(session, operator, left, right) : undefined
    if (operated !== undefined) return operated
    if (!holds(session, operator, left, right)) return false
    left = right
  }
  return true
}

/** Values that define their own text are formatted as that text. */
function asText(value: Value): Value {
  if (value instanceof PathValue) return value.path
  return value instanceof NativeObject && value.toStr ? value.toStr() : plainNumber(value)
}

/** The texts that an f-string had last, and what it made of them: a function often writes the same text for every row. */
const writtenBefore = new WeakMap<readonly FormattedPart[], { texts: readonly string[]; made: string }>()

/** The text of an f-string. */
export function formatParts(session: Session, parts: readonly FormattedPart[], scope: Scope): Value {
  const texts = session.strict ? textsOf(session, parts, scope) : undefined
  if (texts === undefined) return writeParts(session, parts, scope)
  const before = writtenBefore.get(parts)
  if (before?.texts.every((text, index) => text === texts[index])) return session.made(before.made)
  let at = 0
  const made = parts.map((part) => (typeof part === 'string' ? part : texts[at++]!)).join('')
  if (made.length < longestKept) writtenBefore.set(parts, { texts, made })
  return session.made(made)
}

const longestKept = 10_000

/** The values of the names in an f-string that has only names of texts. */
function textsOf(session: Session, parts: readonly FormattedPart[], scope: Scope): string[] | undefined {
  const texts: string[] = []
  for (const part of parts) {
    if (typeof part === 'string') continue
    if (part.value.kind !== 'name' || part.format !== undefined || part.conversion !== undefined) return undefined
    const value = scope.get(part.value.name)
    if (typeof value !== 'string') return undefined
    texts.push(value)
  }
  session.step(texts.length)
  return texts
}

function writeParts(session: Session, parts: readonly FormattedPart[], scope: Scope): Value {
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
    if (value instanceof NameRef) {
      // Its name must not stand for its text.
      const constant = session.attempt<Value>(
        () => constantOf(session, value),
        (error) => new Unknown(error),
      )
      if (typeof constant !== 'string') return constant
      text += constant
      continue
    }
    session.measure(value)
    const spec = part.format ? formatParts(session, part.format, scope) : ''
    if (typeof spec !== 'string') return spec
    const converted = part.conversion === undefined ? value : plainText(convert(part.conversion, value))
    text += plainText(formatValue(asText(converted), spec))
  }
  return session.made(text)
}
