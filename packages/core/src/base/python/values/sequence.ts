import { typeError, valueError } from '../python-error.ts'
import { longText, touch, touchText } from '../python-limits.ts'
import { dictSize, entriesOf, keysOf, valuesOf } from './dict.ts'
import { hasPairs, lengthOf } from './strings.ts'
import { charactersOf, joinTexts, plainText, type Str, sliceText } from './text.ts'
import {
  DictView,
  Generator,
  isDictValue,
  isInt,
  isListValue,
  Markup,
  PySet,
  Range,
  stringOf,
  strOf,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './value.ts'

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

/** Python's `len()`; undefined for values without a length. */
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

/** Python's `value[start:stop:step]`. */
export function sliceValue(value: Value, start: Value, stop: Value, step: Value): Value {
  if (value instanceof Undefined) throw value.error
  if (isListValue(value)) return sliceItems(value, start, stop, step)
  const text = strOf(value)
  if (text !== undefined) {
    const sliced = sliceStr(text, start, stop, step)
    return value instanceof Markup ? new Markup(sliced) : sliced
  }
  if (value instanceof Tuple) return new Tuple(sliceItems(value.items, start, stop, step))
  if (value instanceof Range) {
    const [from, to, by] = sliceBounds(value.length, start, stop, step)
    return new Range(value.at(from), value.at(to), value.step * by)
  }
  if (typeof value === 'object' && value !== null && typeName(value) === 'dict') throw typeError("unhashable type: 'slice'")
  throw typeError(`'${typeName(value)}' object is not subscriptable`)
}

/** The first and the end index and the step of a slice of something with this length. */
export function sliceBounds(length: number, start: Value, stop: Value, step: Value): [from: number, to: number, by: number] {
  const by = bound(step) ?? 1
  if (by === 0) throw valueError('slice step cannot be zero')
  const clamp = (given: number | undefined, fallback: number) => {
    if (given === undefined) return fallback
    const index = given < 0 ? given + length : given
    return by > 0 ? Math.min(Math.max(index, 0), length) : Math.min(Math.max(index, -1), length - 1)
  }
  return [clamp(bound(start), by > 0 ? 0 : length - 1), clamp(bound(stop), by > 0 ? length : -1), by]
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined
  if (value instanceof Undefined || !isInt(value)) throw typeError('slice indices must be integers or None or have an __index__ method')
  return Number(value)
}

function sliceItems(items: readonly Value[], start: Value, stop: Value, step: Value): Value[] {
  const [from, to, by] = sliceBounds(items.length, start, stop, step)
  return pick(items, from, to, by)
}

function pick<Item>(items: readonly Item[], from: number, to: number, by: number): Item[] {
  const count = Math.max(0, Math.ceil((to - from) / by))
  if (count > 64) touch(count >> 5)
  if (by === 1) return items.slice(from, Math.max(from, to))
  const picked: Item[] = []
  for (let index = from; by > 0 ? index < to : index > to; index += by) picked.push(items[index]!)
  return picked
}

function sliceStr(text: Str, start: Value, stop: Value, step: Value): Str {
  const value = plainText(text)
  if (value.length > longText) touchText(value.length)
  const simple = !hasPairs(value)
  const [from, to, by] = sliceBounds(simple ? value.length : lengthOf(value), start, stop, step)
  if (by === 1 && simple) return sliceText(text, from, Math.max(from, to))
  return joinTexts(pick(charactersOf(text), from, to, by))
}
