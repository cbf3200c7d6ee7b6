import { BoundMethod } from '../../python/methods/method.ts'
import { typeError } from '../../python/python-error.ts'
import type { Statement } from '../../python/syntax/ast.ts'
import { notUnderstood } from '../../python/syntax/import-error.ts'
import { typeName } from '../../python/values/type-name.ts'
import type { Kwargs, Value } from '../../python/values/value.ts'
import { bindArguments } from './bind-arguments.ts'
import { evaluate } from './evaluate.ts'
import { runStatements } from './run-statement.ts'
import { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { Builtin, NameRef, Unknown, UserFunction } from './values.ts'

/** Calls anything that can be called. What lies outside the config is not called: its result is unknown. */
export function call(session: Session, callee: Value, args: readonly Value[], kwargs: Kwargs, scope: Scope): Value {
  session.step()
  if (callee instanceof Builtin) return callee.call(session, args, kwargs, scope)
  if (callee instanceof UserFunction) return callFunction(session, callee, args, kwargs)
  if (callee instanceof BoundMethod) return callee.method(session.runtime, callee.self as never, args, kwargs)
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
