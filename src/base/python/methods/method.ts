import type { StepCounter } from '../meter.ts'
import { typeError } from '../python-error.ts'
import { typeName } from '../values/type-name.ts'
import { Undefined } from '../values/undefined.ts'
import { isInt, type Kwargs, PyObject, type Value } from '../values/value.ts'

/** A method of a Python type. */
export type Method<Self = Value> = (counter: StepCounter, self: Self, args: readonly Value[], kwargs: Kwargs) => Value

/** A method that was taken from its object without being called. */
export class BoundMethod extends PyObject {
  readonly typeName = 'builtin_function_or_method'

  constructor(
    readonly self: Value,
    readonly name: string,
    readonly method: Method<never>,
  ) {
    super()
  }
}

/** An argument that must be an int, as a JavaScript number. */
export function intArgument(value: Value): number {
  if (value instanceof Undefined) throw value.error
  if (!isInt(value)) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
  return Number(value)
}
