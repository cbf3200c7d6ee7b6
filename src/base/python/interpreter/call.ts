import { BoundMethod } from '../methods/method.ts'
import { typeError } from '../python-error.ts'
import type { Parameter, Statement } from '../syntax/ast.ts'
import { notUnderstood } from '../syntax/import-error.ts'
import { typeName } from '../values/type-name.ts'
import { type Kwargs, Tuple, type Value } from '../values/value.ts'
import { newDict } from './dicts.ts'
import { evaluate } from './evaluate.ts'
import { runStatements } from './run-statement.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, NameRef, NativeObject, Unknown, UserFunction } from './values.ts'

/** Calls anything that can be called. What lies outside the config is not called: its result is unknown. */
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
    const outcome = runStatements(session, called.body, scope)
    return outcome.kind === 'return' ? outcome.value : null
  })
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
