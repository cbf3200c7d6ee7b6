import { typeError } from '../python-error.ts'
import type { StepCounter } from '../python-limits.ts'
import { isInt, type Kwargs, PyObject, plainNumber, typeName, Undefined, type Value } from '../values/value.ts'

/** A method of a Python type. */
export type Method<Self = Value> = (counter: StepCounter, self: Self, args: readonly Value[], kwargs: Kwargs) => Value

/** A method of a particular object. */
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
export function intArgument(given: Value): number {
  const value = plainNumber(given)
  if (value instanceof Undefined) throw value.error
  if (!isInt(value)) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
  return Number(value)
}

/** Binds positional and keyword arguments to parameters, as Python does; missing ones are undefined. */
export function bind(
  name: string,
  parameters: readonly string[],
  required: number,
  args: readonly Value[],
  kwargs: Kwargs,
): readonly (Value | undefined)[] {
  if (args.length > parameters.length)
    throw typeError(`${name}() takes at most ${parameters.length} argument${parameters.length === 1 ? '' : 's'} (${args.length} given)`)
  if (kwargs === undefined || kwargs.size === 0) {
    if (args.length < required) throw missing(name, parameters, args.length, required)
    return args
  }
  const bound: (Value | undefined)[] = [...args]
  for (const [key, value] of kwargs) {
    const index = parameters.indexOf(key)
    if (index < 0) throw typeError(`${name}() got an unexpected keyword argument '${key}'`)
    if (bound[index] !== undefined) throw typeError(`${name}() got multiple values for argument '${key}'`)
    bound[index] = value
  }
  for (let index = 0; index < required; index++)
    if (bound[index] === undefined) throw typeError(`${name}() missing required argument: '${parameters[index]}'`)
  return bound
}

function missing(name: string, parameters: readonly string[], given: number, required: number): Error {
  const names = parameters.slice(given, required).map((parameter) => `'${parameter}'`)
  return typeError(`${name}() missing ${names.length} required positional argument${names.length === 1 ? '' : 's'}: ${names.join(' and ')}`)
}

/** Checks the arguments of a function that takes no keywords. */
export function positional(name: string, min: number, max: number, args: readonly Value[], kwargs: Kwargs): void {
  if (kwargs !== undefined && kwargs.size > 0) throw typeError(`${name}() takes no keyword arguments`)
  if (args.length < min || args.length > max) {
    const wanted = min === max ? `exactly ${min}` : args.length < min ? `at least ${min}` : `at most ${max}`
    throw typeError(`${name} expected ${wanted} argument${(args.length < min ? min : max) === 1 ? '' : 's'}, got ${args.length}`)
  }
}
