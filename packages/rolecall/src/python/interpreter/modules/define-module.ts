import {
  isNumber,
  type Kwargs,
  notUnderstood,
  numeric,
  PythonError,
  plainNumber,
  typeError,
  typeName,
  type Value,
} from '@rolecall/core/internal/python'
import { NativeSignature } from '../native-signature.ts'
import type { Session } from '../session.ts'
import { Builtin, ModuleValue, NameRef, type NativeFunction, Unknown } from '../values.ts'

/** Defines a module. */
export function defineModule(name: string, attributes: Readonly<Record<string, Value>>): ModuleValue {
  return new ModuleValue(name, new Map(Object.entries(attributes)))
}

/** Functions for which a number of numpy is not one of Python. */
const takeNumpy: readonly string[] = [
  'isinstance',
  'type',
  'getattr',
  'hasattr',
  'setattr',
  'max',
  'min',
  'dict',
  'zip',
  'round',
  'sum',
  'abs',
  'list',
  'tuple',
  'sorted',
]

/**
 * A function whose parameters are written as in Python's documentation; arguments that it does not take are an error: Python's for
 * built-in functions, which have all their parameters here.
 */
export function native(signature: string, run: NativeFunction, attributes?: ReadonlyMap<string, Value>, isBuiltIn = false): Builtin {
  const parameters = new NativeSignature(signature)
  const plain = takeNumpy.includes(parameters.name) ? (value: Value) => value : plainNumber
  const checked: NativeFunction = (session, args, kwargs, scope) => {
    const unknown = session.strict && !isBuiltIn ? parameters.unknownKeyword(kwargs) : undefined
    // What a library takes in Python may be missing here: that is no exception of Python's.
    if (unknown !== undefined) throw notUnderstood(session.at, `"${unknown}" of ${parameters.name}(…)`, 'leave it out')
    const bound = bindTo(session, parameters, args.map(plain), kwargs, isBuiltIn)
    if (!session.strict) return run(session, bound.args, bound.kwargs, scope)
    try {
      return run(session, bound.args, bound.kwargs, scope)
    } catch (error) {
      if (error instanceof PythonError && error.type === 'TypeError') refuseUnknown(session, bound.args)
      throw error
    }
  }
  return new Builtin(parameters.name, checked, attributes)
}

/** A library's function may take more in Python than it does here: a call that does not fit is no exception of Python's. */
function bindTo(session: Session, parameters: NativeSignature, args: readonly Value[], kwargs: Kwargs, isBuiltIn: boolean) {
  try {
    return parameters.bind(args, kwargs)
  } catch (error) {
    if (!session.strict || isBuiltIn || session.program === undefined || !(error instanceof PythonError)) throw error
    throw notUnderstood(session.at, `a call of ${parameters.name}(…) with these arguments`, 'give those that Python documents')
  }
}

/** A value that only Python could compute has no type here: that is no exception of Python's. */
function refuseUnknown(session: Session, args: readonly Value[]): void {
  for (const arg of args) {
    if (arg instanceof Unknown) throw arg.error
    if (arg instanceof NameRef) throw notUnderstood(session.at, `the value of "${arg.path}"`, 'write it out')
  }
}

/** A function from text to text. */
export function onText(name: string, run: (text: string) => string): Builtin {
  return native(`${name}(text)`, (session, args) => unknownOr(args, () => session.made(run(textOf(args[0]!)))))
}

/** An unknown argument makes the result unknown. */
export function unknownOr(args: readonly Value[], run: () => Value): Value {
  return args.find((arg) => arg instanceof Unknown) ?? run()
}

export function textOf(value: Value | undefined): string {
  if (typeof value !== 'string') throw typeError(`expected str, bytes or os.PathLike object, not ${typeName(value)}`)
  return value
}

export function numberOf(given: Value | undefined): number {
  const value = given === undefined ? given : plainNumber(given)
  if (!isNumber(value)) throw typeError(`must be real number, not ${typeName(value)}`)
  const number = Number(numeric(value))
  if (typeof value === 'bigint' && !Number.isFinite(number)) throw new PythonError('OverflowError', 'int too large to convert to float')
  return number
}
