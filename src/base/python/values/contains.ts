import { longText, touch, touchText } from '../meter.ts'
import { typeError } from '../python-error.ts'
import { hasKey } from './dict.ts'
import { equals } from './equals.ts'
import { iteratorOf } from './iterate.ts'
import { typeName } from './type-name.ts'
import { Undefined } from './undefined.ts'
import { DictView, Generator, isDictValue, isListValue, PySet, Range, stringOf, Tuple, type Value } from './value.ts'

function isAmong(items: readonly Value[], value: Value): boolean {
  for (const item of items) {
    touch()
    if (equals(item ?? null, value)) return true
  }
  return false
}

/** Python's `value in container`. */
export function contains(container: Value, value: Value): boolean {
  const text = stringOf(container)
  if (text !== undefined) {
    const part = stringOf(value)
    if (text.length > longText) touchText(text.length)
    if (part !== undefined) return text.includes(part)
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(value)}`)
  }
  if (isListValue(container)) return isAmong(container, value)
  if (container instanceof Tuple) return isAmong(container.items, value)
  if (container instanceof Undefined) return false
  if (container instanceof Range || container instanceof Generator || (container instanceof DictView && container.shows !== 'keys')) {
    const iterator = iteratorOf(container)
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      touch()
      if (equals(next.value, value)) return true
    }
    return false
  }
  if (container instanceof DictView || container instanceof PySet) return hasKey(container.dict, value)
  if (isDictValue(container)) return hasKey(container, value)
  throw typeError(`argument of type '${typeName(container)}' is not iterable`)
}
