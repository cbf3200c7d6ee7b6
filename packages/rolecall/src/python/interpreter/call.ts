import type { Argument, Expression, Parameter, Statement } from '@rolecall/core/internal/python'
import {
  BoundMethod,
  Generator,
  isListValue,
  type Kwargs,
  notUnderstood,
  PythonError,
  Tuple,
  typeError,
  typeName,
  type Value,
} from '@rolecall/core/internal/python'
import { attributeOf } from './access.ts'
import { builtins } from './builtins.ts'
import { itemsOf, newDict, refuseUnknown, setItem } from './containers.ts'
import { evaluate, evaluatePart } from './evaluate.ts'
import { methodOf, pairsOf } from './methods.ts'
import { runStatements } from './run-statement.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, NameRef, NativeObject, Unknown, UserFunction } from './values.ts'

/** Calls anything callable. Functions from outside the config are not called: their result is unknown. */
export function call(session: Session, callee: Value, args: readonly Value[], kwargs: Kwargs, scope: Scope): Value {
  session.step()
  if (callee instanceof Builtin) return callee.call(session, args, kwargs, scope)
  if (callee instanceof UserFunction) return callFunction(session, callee, args, kwargs)
  if (callee instanceof BoundMethod) return callee.method(session, callee.self as never, args, kwargs)
  if (callee instanceof NativeObject && callee.call) return callee.call(session, args, kwargs, scope)
  if (callee instanceof Unknown) return callee
  if (callee instanceof NameRef) {
    const error = notUnderstood(session.at, `a call of "${callee.name}", which is not part of the config,`, 'write its result out')
    return new Unknown(error, !callee.declared)
  }
  throw typeError(`'${typeName(callee)}' object is not callable`)
}

function callFunction(session: Session, called: UserFunction, args: readonly Value[], kwargs: Kwargs): Value {
  const place = session.at
  return session.call(place, () => {
    const scope = new Scope(called.scope.file, called.scope, 'call')
    bindArguments(session, called, args, kwargs, scope)
    if (!isBlock(called.body)) return evaluate(session, called.body, scope)
    if (called.yields && session.strict) return generatorOf(session, called.body, scope)
    const outcome = runStatements(session, called.body, scope)
    return outcome.kind === 'return' ? outcome.value : null
  })
}

/**
 * What a generator function gives. It runs to its end when the first item is wanted, so one that has no end reaches a limit; an exception is
 * raised behind the items before it.
 */
function generatorOf(session: Session, body: readonly Statement[], scope: Scope): Generator {
  return new Generator(give())

  function* give(): Iterator<Value> {
    const yielded: Value[] = []
    scope.yielded = yielded
    let raised: PythonError | undefined
    try {
      session.call(session.at, () => session.keepingDepth(() => runStatements(session, body, scope)))
    } catch (error) {
      if (!(error instanceof PythonError) || error.type === 'LimitError') throw error
      raised = error
    }
    yield* yielded
    if (raised !== undefined) throw raised
  }
}

function isBlock(body: UserFunction['body']): body is readonly Statement[] {
  return Array.isArray(body)
}

/** Gives the parameters of a function their values, as Python does. */
function bindArguments(session: Session, called: UserFunction, args: readonly Value[], kwargs: Kwargs, scope: Scope): void {
  const { name, parameters, defaults } = called
  const left = new Map(kwargs)
  let next = 0
  for (const parameter of parameters) {
    if (parameter.star === '*') {
      scope.names.set(parameter.name, new Tuple(args.slice(next)))
      next = args.length
    } else if (parameter.star === '**') {
      scope.names.set(parameter.name, newDict(session, left))
      left.clear()
    } else scope.names.set(parameter.name, valueFor(parameter))
  }
  if (next < args.length) throw typeError(`${name}() takes ${parameters.length} positional arguments but ${args.length} were given`)
  const [unexpected] = left.keys()
  if (unexpected !== undefined) throw typeError(`${name}() got an unexpected keyword argument '${unexpected}'`)

  function valueFor({ name: parameter, keywordOnly }: Parameter): Value {
    const given = left.get(parameter)
    if (!keywordOnly && next < args.length) {
      if (given !== undefined) throw typeError(`${name}() got multiple values for argument '${parameter}'`)
      return args[next++]!
    }
    left.delete(parameter)
    const value = given === undefined ? defaults.get(parameter) : given
    if (value === undefined) throw typeError(`${name}() missing 1 required argument: '${parameter}'`)
    return value
  }
}

type CallNode = Extract<Expression, { kind: 'call' }>

/** A call as it is written. */
export function evaluateCall(session: Session, node: CallNode, scope: Scope): Value {
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
  const [first] = args
  if (called instanceof NameRef && called.name === 'PromptList' && args.length === 1 && first !== undefined && isListValue(first)) {
    session.promptLists.push(first)
    return first
  }
  return call(session, called, args, kwargs, scope)
}

/** `dict(…)`, whose entries keep their comments and may be written `"key": value`. */
function dictCall(session: Session, { args, at }: CallNode, scope: Scope): Value {
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
