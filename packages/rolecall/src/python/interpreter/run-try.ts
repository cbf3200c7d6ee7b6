import type { Expression, Statement } from '@rolecall/core/internal/python'
import { notUnderstood, PythonError, plainText, str } from '@rolecall/core/internal/python'
import { UserClass } from './classes.ts'
import { evaluate } from './evaluate.ts'
import { ExceptionValue, exceptionOf, isKindOf, RaisedError } from './exceptions.ts'
import { type ControlFlow, runStatements } from './run-statement.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { NameRef, NativeObject, Unknown } from './values.ts'

/** The exception that a `raise` names, with its text. Without one, it is that of the handler that is running. */
export function raised(session: Session, { value: node, at }: Extract<Statement, { kind: 'raise' }>, scope: Scope): PythonError {
  session.at = at
  if (node === undefined) return session.handled.at(-1) ?? new PythonError('RuntimeError', 'No active exception to reraise')
  const named = node.kind === 'call' ? node.callee : node
  const type = named.kind === 'name' || named.kind === 'attribute' ? named.name : 'Exception'
  const value = named.kind === 'name' ? scope.get(named.name) : undefined
  if (value instanceof ExceptionValue) return new RaisedError(value)
  const [first] = node.kind === 'call' ? node.args : []
  const given = first === undefined ? '' : evaluate(session, first.value, scope)
  const text = typeof given === 'string' ? given : given instanceof NativeObject ? (given.toStr?.() ?? '') : plainText(str(given))
  return new RaisedError(new ExceptionValue(type, text, value instanceof UserClass ? kindsOfClass(value) : undefined))
}

/** The names of a class of the code and of those that it inherits from. */
function kindsOfClass(type: UserClass): string[] {
  return type.order.flatMap((each) => (each instanceof UserClass || each instanceof NameRef ? [each.name] : []))
}

function handles(types: Expression | undefined, error: PythonError): boolean {
  if (types === undefined) return true
  if (types.kind === 'tuple') return types.items.some((each) => handles(each, error))
  const name = types.kind === 'name' || types.kind === 'attribute' ? types.name : ''
  return isKindOf(exceptionOf(error), name)
}

/** Whether a handler goes on without a module that is not installed. */
function replacesImport({ types, body }: Extract<Statement, { kind: 'try' }>['handlers'][number]): boolean {
  const named = types?.kind === 'tuple' ? types.items : types === undefined ? [] : [types]
  const isForImports = named.some((type) => type.kind === 'name' && (type.name === 'ImportError' || type.name === 'ModuleNotFoundError'))
  return isForImports && !body.some(({ kind }) => kind === 'raise')
}

export function runTry(session: Session, statement: Extract<Statement, { kind: 'try' }>, scope: Scope): ControlFlow {
  return session.strict ? runTryStrictly(session, statement, scope) : runTryOfConfig(session, statement, scope)
}

/** A `try` of a function that is run: only what Python would raise is caught, and only by a handler for it. */
function runTryStrictly(
  session: Session,
  { body, handlers, otherwise, last }: Extract<Statement, { kind: 'try' }>,
  scope: Scope,
): ControlFlow {
  const run = (): ControlFlow => {
    let done: ControlFlow
    try {
      const run = () => session.keepingDepth(() => runStatements(session, body, scope))
      done = handlers.some(replacesImport) ? session.guardingImports(run) : run()
    } catch (error) {
      const isCaught = error instanceof PythonError && error.type !== 'LimitError'
      // An exception costs more than other steps.
      if (isCaught) session.step(10)
      const handler = isCaught ? handlers.find(({ types }) => handles(types, error)) : undefined
      if (handler === undefined) throw error
      if (handler.name !== undefined) scope.set(handler.name, exceptionOf(error as PythonError))
      session.handled.push(error as PythonError)
      try {
        return runStatements(session, handler.body, scope)
      } finally {
        session.handled.pop()
      }
    }
    return done.kind === 'next' ? runStatements(session, otherwise, scope) : done
  }
  let outcome: ControlFlow
  try {
    outcome = run()
  } catch (error) {
    const after = runStatements(session, last, scope)
    // A `return` in `finally` drops the exception.
    if (after.kind === 'next' || !(error instanceof PythonError)) throw error
    return after
  }
  const after = runStatements(session, last, scope)
  return after.kind === 'next' ? outcome : after
}

function runTryOfConfig(
  session: Session,
  { body, handlers, otherwise, last }: Extract<Statement, { kind: 'try' }>,
  scope: Scope,
): ControlFlow {
  // The exception type of a handler is ignored: a config that catches one has a fallback ready.
  const outcome = session.attempt(
    () => {
      const done = handlers.length === 0 ? runStatements(session, body, scope) : session.trying(() => runStatements(session, body, scope))
      return done.kind === 'next' ? runStatements(session, otherwise, scope) : done
    },
    (error) => {
      if (handlers[0] === undefined) throw error
      const { name, body: handler } = handlers[0]
      if (name !== undefined) {
        const unknown = notUnderstood(session.at, `what the exception "${name}" says`, 'write the value out')
        scope.set(name, new Unknown(unknown))
      }
      return runStatements(session, handler, scope)
    },
  )
  const after = runStatements(session, last, scope)
  return after.kind === 'next' ? outcome : after
}
