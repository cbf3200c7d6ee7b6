import { typeError } from '../python-error.ts'
import { charactersOf, lengthOf } from './code-points.ts'
import { dictSize, entriesOf, keysOf, valuesOf } from './dict.ts'

import { typeName } from './type-name.ts'
import { Undefined } from './undefined.ts'
import { DictView, Generator, isDictValue, isListValue, PySet, Range, stringOf, strOf, Tuple, type Value } from './value.ts'

/** The items of what has a length, in order; undefined for a generator, which is read one by one; others are an error. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (isListValue(value)) return value
  if (value instanceof Tuple || value instanceof PySet) return value.items
  const text = strOf(value)
  if (text !== undefined) return charactersOf(text)
  if (value instanceof Generator) return undefined
  if (value instanceof Range) return Array.from({ length: value.length }, (_, index) => value.at(index))
  if (value instanceof DictView) return viewItems(value)
  if (value instanceof Undefined) return []
  if (isDictValue(value)) return keysOf(value)
  throw typeError(`'${typeName(value)}' object is not iterable`)
}

/** All items as a list; a generator is read to its end. */
export function listOf(value: Value): readonly Value[] {
  const items = itemsOf(value)
  if (items !== undefined) return items
  const read: Value[] = []
  for (let next = (value as Generator).iterator.next(); !next.done; next = (value as Generator).iterator.next()) read.push(next.value)
  return read
}

/** An iterator over anything that Python iterates. */
export function iteratorOf(value: Value): Iterator<Value> {
  const items = itemsOf(value)
  return items === undefined ? (value as Generator).iterator : items[Symbol.iterator]()
}

/** Python's `len()`; undefined where there is none. */
export function sizeOf(value: Value): number | undefined {
  if (isListValue(value)) return value.length
  const text = stringOf(value)
  if (text !== undefined) return lengthOf(text)
  if (value instanceof Tuple) return value.items.length
  if (value instanceof Range) return value.length
  if (value instanceof PySet) return value.dict.size
  if (value instanceof DictView) return dictSize(value.dict)
  if (value instanceof Undefined) return 0
  return isDictValue(value) ? dictSize(value) : undefined
}

export function lengthOfValue(value: Value): number {
  const size = sizeOf(value)
  if (size === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`)
  return size
}

function viewItems({ dict, shows }: DictView): readonly Value[] {
  if (shows === 'keys') return keysOf(dict)
  return shows === 'values' ? valuesOf(dict) : entriesOf(dict).map((entry) => new Tuple(entry))
}
