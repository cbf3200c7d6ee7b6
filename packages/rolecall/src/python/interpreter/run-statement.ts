import type { AssignTarget, Expression, Statement, Value } from '@rolecall/core/internal/python'
import { Generator, ImportLimitError, notUnderstood, PySet, PythonError, pythonError } from '@rolecall/core/internal/python'
import { attributeOf, itemAt } from './access.ts'
import { assign, assignAttribute, assignItem, remove } from './assign.ts'
import { call } from './call.ts'
import { DecoratedMethod, Instance, madeByMetaclass, ownClass, UserClass } from './classes.ts'
import { isMutableDict, itemsOf, iterate, setItem } from './containers.ts'
import { evaluate, evaluatePart } from './evaluate.ts'
import { importFrom, importModules } from './import-module.ts'
import { knownTable } from './known-tables.ts'
import { binary, isTrue } from './operators.ts'
import { raised, runTry } from './run-try.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, ClassRef, FileValue, NameRef, Unknown, UserFunction } from './values.ts'

/** How a block ended. */
export type ControlFlow = { kind: 'next' | 'break' | 'continue' } | { kind: 'return'; value: Value }

const next: ControlFlow = { kind: 'next' }

export function runStatements(session: Session, statements: readonly Statement[], scope: Scope): ControlFlow {
  for (const statement of statements) {
    const outcome = session.isLenientHere ? runOrSkip(session, statement, scope) : runStatement(session, statement, scope)
    if (outcome.kind !== 'next') return outcome
  }
  return next
}

/** Under --lenient an unsupported statement is skipped, and the names it would have set are unknown. */
function runOrSkip(session: Session, statement: Statement, scope: Scope): ControlFlow {
  return session.attempt(
    () => runStatement(session, statement, scope),
    (error) => {
      session.notes.push({ code: 'skipped', where: error.where, text: `the statement was left out: ${error.problem}` })
      const isDefinition = statement.kind === 'class' || statement.kind === 'function'
      if (session.program !== undefined || !isDefinition) for (const name of namesOf(statement)) scope.set(name, new Unknown(error))
      return next
    },
  )
}

/** The names that a statement would have set. */
function namesOf(statement: Statement): string[] {
  switch (statement.kind) {
    case 'assign':
      return statement.targets.flatMap((target) => (target.kind === 'name' ? [target.name] : []))
    case 'import-from':
      return statement.names.map(({ name, as }) => as ?? name)
    case 'broken':
      return statement.names
    case 'function':
    case 'class':
      return [statement.name]
    default:
      return []
  }
}

function runStatement(session: Session, statement: Statement, scope: Scope): ControlFlow {
  session.step()
  switch (statement.kind) {
    case 'expression': {
      const value = evaluate(session, statement.value, scope)
      // Its effect on the config is missing, which must be reported.
      if (value instanceof Unknown && session.strict) throw value.error
      if (value instanceof Unknown) session.note('not-run', 'this is not part of the config and was not run', statement.at)
      return next
    }
    case 'assign': {
      const value = evaluatePart(session, statement.value, scope)
      for (const target of statement.targets) {
        session.at = target.at
        assign(session, target, value, scope)
      }
      return next
    }
    case 'augment':
      augment(session, statement, scope)
      return next
    case 'if':
      return runStatements(session, isTrue(session, test(session, statement.test, scope)) ? statement.body : statement.otherwise, scope)
    case 'for':
      return runFor(session, statement, scope)
    case 'while':
      while (isTrue(session, test(session, statement.test, scope))) {
        const outcome = runStatements(session, statement.body, scope)
        if (outcome.kind === 'return') return outcome
        if (outcome.kind === 'break') return next
      }
      return runStatements(session, statement.otherwise, scope)
    case 'try':
      return runTry(session, statement, scope)
    case 'with':
      return runWith(session, statement, scope)
    case 'import':
      importModules(session, statement.names, scope)
      return next
    case 'import-from':
      session.at = statement.at
      importFrom(session, statement, scope)
      return next
    case 'function': {
      const { name, parameters, body, decorated, yields } = statement
      const defaults = new Map<string, Value>()
      for (const { name: parameter, byDefault } of parameters) if (byDefault) defaults.set(parameter, evaluate(session, byDefault, scope))
      const made = new UserFunction(name, parameters, body, scope, defaults, yields)
      if (decorated === false) scope.set(name, registered(session, statement, made, scope))
      else if (decorated === true || !session.strict) scope.set(name, decoratedValue(session, statement, made, scope))
      else scope.set(name, new DecoratedMethod(decorated, made))
      return next
    }
    case 'class':
      scope.set(statement.name, classOf(session, statement, scope))
      return next
    case 'return':
      return { kind: 'return', value: statement.value ? evaluate(session, statement.value, scope) : null }
    case 'delete':
      for (const target of statement.targets) remove(session, target, scope)
      return next
    case 'assert':
      if (!isTrue(session, test(session, statement.test, scope))) {
        if (session.strict) throw new PythonError('AssertionError', '')
        throw pythonError(statement.at, 'this does not hold', 'correct what it tests, or remove it')
      }
      return next
    case 'raise':
      if (!session.strict) throw notUnderstood(statement.at, '"raise"', 'remove it, or the test that leads to it')
      throw raised(session, statement, scope)
    case 'global':
    case 'nonlocal':
      for (const name of statement.names) scope.elsewhere.set(name, statement.kind)
      return next
    case 'pass':
      return next
    case 'break':
    case 'continue':
      return { kind: statement.kind }
    case 'foreign':
      throw notUnderstood(statement.at, statement.construct, statement.fix)
    case 'broken':
      throw statement.error
    default:
      return statement satisfies never
  }
}

/** The most classes that one inherits from, directly or not. */
const mostClasses = 100

/** The attributes of a class; what cannot be read of its body is not there. */
function classOf(session: Session, statement: Extract<Statement, { kind: 'class' }>, scope: Scope): Value {
  const { name, bases, body, decorated, at } = statement
  const inner = new Scope(scope.file, scope, 'call')
  for (const statement of body) {
    session.attempt(
      () => runInClass(session, statement, inner),
      (error) => {
        if (session.strict) for (const attribute of namesOf(statement)) inner.set(attribute, new Unknown(error))
        return next
      },
    )
  }
  // A decorator may have changed any of them.
  if (decorated && !session.strict)
    for (const attribute of inner.names.keys())
      inner.set(attribute, new Unknown(notUnderstood(at, `the decorator of "${name}"`, `leave it out, or write ${name}.${attribute} here`)))
  if (!session.strict) return new ClassRef(name, inner.names)
  const parents = bases.map((base) => evaluate(session, base, scope))
  const type = metaclassOf(session, statement.metaclass && evaluate(session, statement.metaclass, scope), parents)
  const made =
    type === undefined
      ? new UserClass(name, parents, new Map(inner.names), decorated === 'dataclass' ? body.flatMap(annotatedName) : undefined)
      : madeByMetaclass(session, type, { name, bases: parents, names: inner.names }, scope)
  if (!(made instanceof UserClass)) return made
  if (made.order.length > mostClasses) throw new ImportLimitError(at, `a class inherits from more than ${mostClasses} others`)
  inner.names.set(ownClass, made)
  return decorated === true ? decoratedValue(session, statement, made, scope) : registered(session, statement, made, scope)
}

/** The metaclass of a class that the code defines: its own, or that of a base. `ABCMeta` and `type` change nothing that is computed here. */
function metaclassOf(session: Session, own: Value | undefined, bases: readonly Value[]): UserClass | undefined {
  if (own instanceof UserClass) return own
  const isPlain =
    own === undefined || (own instanceof Builtin && own.name === 'type') || (own instanceof NameRef && own.path === 'abc.ABCMeta')
  if (!isPlain) throw notUnderstood(session.at, 'this metaclass', 'write what it makes of the class')
  return bases.flatMap((base) => (base instanceof UserClass && base.metaclass ? [base.metaclass] : []))[0]
}

type Decorated = Extract<Statement, { kind: 'function' | 'class' }>

/** Enters a class or function into the registries that its decorators name. */
function registered(session: Session, { registers = [] }: Decorated, made: Value, scope: Scope): Value {
  if (session.program !== undefined) for (const node of registers) call(session, evaluate(session, node, scope), [made], undefined, scope)
  return made
}

/** What decorators make of a function or class; unknown where one of them is. */
function decoratedValue(session: Session, statement: Decorated, made: Value, scope: Scope): Value {
  const unknown = () => new Unknown(notUnderstood(statement.at, `the decorator of "${statement.name}"`, 'leave it out'))
  if (!session.strict) return unknown()
  const applied = [...(statement.decorators ?? [])].reverse().reduce<Value>((value, node) => {
    const decorator = evaluate(session, node, scope)
    session.at = node.at
    return decorator instanceof NameRef || decorator instanceof Unknown ? unknown() : call(session, decorator, [value], undefined, scope)
  }, made)
  return registered(session, statement, applied, scope)
}

/** The name of a field of a dataclass. */
function annotatedName(statement: Statement): string[] {
  if (statement.kind === 'pass') return statement.annotated === undefined ? [] : [statement.annotated]
  const [target] = statement.kind === 'assign' && statement.annotated ? statement.targets : []
  return target?.kind === 'name' ? [target.name] : []
}

function runInClass(session: Session, statement: Statement, scope: Scope): ControlFlow {
  const [target] = statement.kind === 'assign' ? statement.targets : []
  const table = statement.kind === 'assign' && session.strict ? knownTable(session, statement.value) : undefined
  if (table === undefined || target?.kind !== 'name') return runStatement(session, statement, scope)
  scope.set(target.name, table)
  return next
}

function test(session: Session, node: Expression, scope: Scope): Value {
  const value = evaluate(session, node, scope)
  session.at = node.at
  return value
}

function runFor(session: Session, statement: Extract<Statement, { kind: 'for' }>, scope: Scope): ControlFlow {
  const items = evaluate(session, statement.items, scope)
  session.at = statement.items.at
  if (items instanceof Generator) return forEach(session, statement, iterate(session, items), scope)
  const live = itemsOf(session, items)
  return forEach(session, statement, grown(live), scope)
}

/** A list may grow while it is iterated, as in Python; new items are visited as well. */
function* grown(items: readonly Value[]): Iterable<Value> {
  for (let index = 0; index < items.length; index++) yield items[index]!
}

function forEach(session: Session, statement: Extract<Statement, { kind: 'for' }>, items: Iterable<Value>, scope: Scope): ControlFlow {
  for (const item of items) {
    session.at = statement.target.at
    assign(session, statement.target, item, scope)
    const outcome = runStatements(session, statement.body, scope)
    if (outcome.kind === 'return') return outcome
    if (outcome.kind === 'break') return next
  }
  return runStatements(session, statement.otherwise, scope)
}

/** `target += value`, which changes lists, dicts and sets in place. */
function augment(session: Session, { target, operator, value: given, at }: Extract<Statement, { kind: 'augment' }>, scope: Scope): void {
  const { current, store } = place(session, target, scope)
  const value = evaluatePart(session, given, scope)
  session.at = at
  if (operator === '+' && Array.isArray(current) && !(value instanceof Unknown) && !(value instanceof NameRef)) {
    const items = [...itemsOf(session, value)]
    session.allocate(null, items.length)
    for (const item of items) (current as Value[]).push(item)
  } else if (operator === '|' && isMutableDict(current) && isMutableDict(value)) {
    for (const [key, item] of [...value]) setItem(session, current, key, item)
  } else if (operator === '|' && current instanceof PySet && value instanceof PySet) {
    for (const item of value.items) setItem(session, current.dict, item, null)
  } else store(binary(session, operator, current, value))
}

/** The current value of a target and how to store a new one; its parts are evaluated once. */
function place(session: Session, target: AssignTarget, scope: Scope): { current: Value; store: (value: Value) => void } {
  if (target.kind === 'item') {
    const object = evaluate(session, target.object, scope)
    const key = evaluate(session, target.key, scope)
    session.at = target.object.at
    return { current: itemAt(session, object, key), store: (value) => assignItem(session, object, key, value) }
  }
  if (target.kind === 'attribute') {
    const object = evaluate(session, target.object, scope)
    session.at = target.at
    return { current: attributeOf(session, object, target.name), store: (value) => assignAttribute(session, object, target, value) }
  }
  return { current: evaluate(session, target, scope), store: (value) => assign(session, target, value, scope) }
}

function runWith(session: Session, { items, body, at }: Extract<Statement, { kind: 'with' }>, scope: Scope): ControlFlow {
  let bases = 0
  for (const [place, { value: node, target }] of items.entries()) {
    if (isReadBase(node)) {
      bases++
      continue
    }
    const value = evaluate(session, node, scope)
    session.at = node.at
    if (value instanceof Instance)
      return withManager(session, value, target, scope, () =>
        place + 1 < items.length
          ? runWith(session, { items: items.slice(place + 1), body, at, kind: 'with' }, scope)
          : runStatements(session, body, scope),
      )
    if (!(value instanceof FileValue) && !(value instanceof Unknown))
      throw notUnderstood(at, 'this "with"', 'use "with read_base():" for imports, or leave it out')
    if (target) assign(session, target, value, scope)
  }
  session.inBase += bases
  const outcome = runStatements(session, body, scope)
  session.inBase -= bases
  return outcome
}

/** Runs a block with an object that has `__enter__` and `__exit__`, which may drop an exception. */
function withManager(
  session: Session,
  manager: Instance,
  target: AssignTarget | undefined,
  scope: Scope,
  run: () => ControlFlow,
): ControlFlow {
  const entered = manager.callMethod(session, '__enter__')
  if (entered === undefined)
    throw new PythonError('TypeError', `'${manager.typeName}' object does not support the context manager protocol`)
  if (target) assign(session, target, entered, scope)
  let outcome: ControlFlow
  try {
    outcome = session.keepingDepth(run)
  } catch (error) {
    if (!(error instanceof PythonError) || error.type === 'LimitError') throw error
    const dropped = manager.callMethod(session, '__exit__', error.type, error.message, null)
    if (dropped !== undefined && isTrue(session, dropped)) return next
    throw error
  }
  manager.callMethod(session, '__exit__', null, null, null)
  return outcome
}

function isReadBase(node: Expression): boolean {
  return (
    node.kind === 'call' &&
    ((node.callee.kind === 'name' && node.callee.name === 'read_base') ||
      (node.callee.kind === 'attribute' && node.callee.name === 'read_base'))
  )
}
