import { typeError } from '../../python/python-error.ts'
import type { Parameter } from '../../python/syntax/ast.ts'
import { type Kwargs, Tuple, type Value } from '../../python/values/value.ts'
import { newDict } from './dicts.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import type { UserFunction } from './values.ts'

/** Gives the parameters of a function their values, as Python does. */
export function bindArguments(session: Session, called: UserFunction, args: readonly Value[], kwargs: Kwargs, scope: Scope): void {
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
