import { getItem } from '../../python/methods/attributes.ts'
import { bind } from '../../python/methods/method.ts'
import { PythonError } from '../../python/python-error.ts'
import { longText, touchText } from '../../python/python-limits.ts'
import { str } from '../../python/values/repr.ts'
import type { Str } from '../../python/values/text.ts'
import { type Kwargs, Markup, stringOf, Undefined, type Value } from '../../python/values/value.ts'
import type { Runtime } from '../runtime/runtime.ts'

export type Filter = (runtime: Runtime, input: Value, args: readonly Value[], kwargs: Kwargs) => Value

type Given = Value | undefined

/** A filter with named parameters; the first `required` are mandatory. */
export function filter(
  name: string,
  parameters: readonly string[],
  required: number,
  run: (runtime: Runtime, input: Value, ...given: Given[]) => Value,
): [string, Filter] {
  return [
    name,
    (runtime, input, args, kwargs) => {
      if (kwargs === undefined && args.length === 0 && required === 0) return run(runtime, input)
      return run(runtime, input, ...bind(name, parameters, required, args, kwargs))
    },
  ]
}

/** The value as text, with Markup kept: what `soft_str` does. */
export function softStr(value: Value): Str | Markup {
  return value instanceof Markup ? value : str(value)
}

/** Applies a function to text and returns Markup for Markup. */
export function onText(value: Value, run: (text: Str) => Str): Value {
  const soft = softStr(value)
  return soft instanceof Markup ? new Markup(run(soft.text)) : run(soft)
}

/** A text in lower case, for comparison; other values unchanged. */
export function ignoringCase(value: Value): Value {
  const text = stringOf(value)
  if (text === undefined) return value
  if (text.length > longText) touchText(text.length)
  return text.toLowerCase()
}

/** The values at paths such as `function.name` or `0.id`. */
export function attributeGetter(attribute: Value, fallback?: Value): (item: Value) => Value {
  const parts = attributeParts(attribute)
  return (item) => {
    let value = item
    for (const part of parts) {
      value = getItem(value, part)
      if (fallback !== undefined && fallback !== null && value instanceof Undefined) value = fallback
    }
    return value
  }
}

function attributeParts(attribute: Value): Value[] {
  if (attribute === null) return []
  const text = stringOf(attribute)
  return text === undefined ? [attribute] : text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** Several paths, separated by commas, for sorting. */
export function attributesGetter(attribute: Value): (item: Value) => Value[] {
  const text = stringOf(attribute)
  const getters = (text === undefined ? [attribute] : text.split(',')).map((one) => attributeGetter(one))
  return (item) => getters.map((get) => get(item))
}

export function filterArgumentError(message: string): PythonError {
  return new PythonError('FilterArgumentError', message)
}
