import { typeError } from '../python-error.ts'
import { hasKey } from './dict.ts'
import { equals } from './equals.ts'
import { iteratorOf } from './iterate.ts'
import { typeName } from './type-name.ts'
import { Undefined } from './undefined.ts'
import { DictView, Generator, isDictValue, isListValue, Range, stringOf, Tuple, type Value } from './value.ts'

/** Python's `value in container`. */
export function contains(container: Value, value: Value): boolean {
  const text = stringOf(container)
  if (text !== undefined) {
    const part = stringOf(value)
    if (part !== undefined) return text.includes(part)
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(value)}`)
  }
  if (isListValue(container)) return container.some((item) => equals(item ?? null, value))
  if (container instanceof Tuple) return container.items.some((item) => equals(item, value))
  if (container instanceof Undefined) return false
  if (container instanceof Range || container instanceof Generator || (container instanceof DictView && container.shows !== 'keys')) {
    const iterator = iteratorOf(container)
    for (let next = iterator.next(); !next.done; next = iterator.next()) if (equals(next.value, value)) return true
    return false
  }
  if (container instanceof DictView) return hasKey(container.dict, value)
  if (isDictValue(container)) return hasKey(container, value)
  throw typeError(`argument of type '${typeName(container)}' is not iterable`)
}
