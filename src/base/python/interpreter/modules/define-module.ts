import { positional } from '../../methods/method.ts'
import { PythonError, typeError } from '../../python-error.ts'
import { isNumber, numeric, typeName, type Value } from '../../values/value.ts'
import { Builtin, ModuleValue, type NativeFunction, Unknown } from '../values.ts'

/** Defines a module. */
export function defineModule(name: string, attributes: Readonly<Record<string, Value>>): ModuleValue {
  return new ModuleValue(name, new Map(Object.entries(attributes)))
}

export function native(name: string, run: NativeFunction): Builtin {
  return new Builtin(name, run)
}

/** A function from text to text. */
export function onText(name: string, run: (text: string) => string): Builtin {
  return native(name, (session, args, kwargs) => {
    positional(name, 1, 1, args, kwargs)
    return unknownOr(args, () => session.made(run(textOf(args[0]!))))
  })
}

/** An unknown argument makes the result unknown. */
export function unknownOr(args: readonly Value[], run: () => Value): Value {
  return args.find((arg) => arg instanceof Unknown) ?? run()
}

export function textOf(value: Value | undefined): string {
  if (typeof value !== 'string') throw typeError(`expected str, bytes or os.PathLike object, not ${typeName(value)}`)
  return value
}

export function numberOf(value: Value | undefined): number {
  if (!isNumber(value)) throw typeError(`must be real number, not ${typeName(value)}`)
  const number = Number(numeric(value))
  if (typeof value === 'bigint' && !Number.isFinite(number)) throw new PythonError('OverflowError', 'int too large to convert to float')
  return number
}
