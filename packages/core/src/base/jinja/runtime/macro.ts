import { typeError } from '../../python/python-error.ts'
import { makeDict } from '../../python/values/dict.ts'
import { stringRepr } from '../../python/values/strings.ts'
import { type Kwargs, Tuple, Undefined, type Value } from '../../python/values/value.ts'
import { Callable, type Runtime } from './runtime.ts'

export type MacroShape = {
  name: string
  parameters: readonly string[]
  /** Whether the body uses arguments beyond the parameters, or the caller's block. */
  usesKwargs: boolean
  usesVarargs: boolean
  usesCaller: boolean
}

/** A macro: a function that a template defines. */
export class Macro extends Callable {
  readonly typeName = 'Macro'

  constructor(
    readonly shape: MacroShape,
    /** Receives the parameters' values, then caller, kwargs and varargs if the body uses them; undefined if not given. */
    readonly run: (runtime: Runtime, values: (Value | undefined)[]) => Value,
  ) {
    super()
  }

  override show(): string {
    return this.shape.name === '' ? '<Macro anonymous>' : `<Macro ${stringRepr(this.shape.name)}>`
  }

  override attribute(name: string): Value | undefined {
    const { shape } = this
    switch (name) {
      case 'name':
        return shape.name
      case 'arguments':
        return new Tuple(shape.parameters)
      case 'catch_kwargs':
        return shape.usesKwargs
      case 'catch_varargs':
        return shape.usesVarargs
      case 'caller':
        return shape.usesCaller
      default:
        return undefined
    }
  }

  call(runtime: Runtime, args: readonly Value[], kwargs: Kwargs): Value {
    const { name, parameters, usesCaller, usesKwargs, usesVarargs } = this.shape
    if (kwargs === undefined && args.length === parameters.length && !usesCaller && !usesKwargs && !usesVarargs)
      return this.run(runtime, [...args])
    const rest = new Map(kwargs)
    const values: (Value | undefined)[] = args.slice(0, parameters.length)
    let hasCaller = values.length === parameters.length && parameters.includes('caller')
    for (const parameter of parameters.slice(values.length)) {
      values.push(rest.get(parameter))
      rest.delete(parameter)
      if (parameter === 'caller') hasCaller = true
    }
    if (usesCaller && !hasCaller) {
      values.push(rest.get('caller') ?? new Undefined(() => 'No caller defined'))
      rest.delete('caller')
    }
    if (usesKwargs) values.push(makeDict(rest))
    else if (rest.size > 0) {
      if (rest.has('caller'))
        throw typeError(`macro '${name}' was invoked with two values for the special caller argument. This is most likely a bug.`)
      throw typeError(`macro '${name}' takes no keyword argument '${[...rest.keys()][0]}'`)
    }
    if (usesVarargs) values.push(new Tuple(args.slice(parameters.length)))
    else if (args.length > parameters.length) throw typeError(`macro '${name}' takes not more than ${parameters.length} argument(s)`)
    return this.run(runtime, values)
  }
}
