import {
  checkHashable,
  equals,
  Generator,
  ImportLimitError,
  isDictValue,
  isListValue,
  type Key,
  listOf as listOfValue,
  OriginDict,
  PySet,
  plainNumber,
  pythonError,
  Range,
  sizeOf,
  Tuple,
  type Value,
} from '@rolecall/core/internal/python'
import type { Session } from './session.ts'
import { FileValue, NameRef, NativeObject, Unknown } from './values.ts'

/** A dict that can be changed. */
export type MutableDict = Map<Key, Value>

export function isMutableDict(value: Value): value is Value & MutableDict {
  return value instanceof Map && isDictValue(value)
}

export function newDict(session: Session, entries: Iterable<readonly [Value, Value]> = []): MutableDict {
  const dict = new OriginDict() as MutableDict
  for (const [key, value] of entries) setItem(session, dict, key, value)
  return dict
}

export function newSet(session: Session, items: readonly Value[]): PySet {
  const dict = newDict(session)
  for (const item of items) setItem(session, dict, item, null)
  return new PySet(dict)
}

export function setItem(session: Session, dict: MutableDict, key: Value, value: Value): void {
  session.allocate(null, 1)
  dict.set(sameKey(session, dict, key), value)
}

/** Of equal keys (1, 1.0, True) the first stays. */
export function sameKey(session: Session, dict: ReadonlyMap<Key, Value>, given: Value): Key {
  const key = plainNumber(given)
  if (typeof key === 'string') return key
  checkHashable(key)
  if (dict.has(key as Key)) return key as Key
  // Keys that are not strings need a linear search.
  session.step(1 + (dict.size >> 3))
  for (const other of dict.keys()) if (typeof other !== 'string' && equals(other, key)) return other
  return key as Key
}

/** Python's `copy.deepcopy`: what is shared inside stays shared. Comments go with the copy. */
export function deepCopy(session: Session, value: Value, copies = new Map<Value, Value>(), depth = 0): Value {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (depth > 200) throw new ImportLimitError(session.at, 'a value is more than 200 levels deep')
  session.step()
  if (isListValue(value)) {
    const copy: Value[] = session.allocate([], value.length)
    copies.set(value, copy)
    for (const item of value) copy.push(deepCopy(session, item, copies, depth + 1))
    copyRemarks(session, value, copy)
    return copy
  }
  if (isMutableDict(value)) {
    const copy: MutableDict = newDict(session)
    copies.set(value, copy)
    session.allocate(null, value.size)
    for (const [key, item] of value) copy.set(key, deepCopy(session, item, copies, depth + 1))
    copyRemarks(session, value, copy)
    const factory = session.factories.get(value)
    if (factory !== undefined) session.factories.set(copy, factory)
    return copy
  }
  if (value instanceof Tuple) return new Tuple(value.items.map((item) => deepCopy(session, item, copies, depth + 1)))
  return value instanceof PySet ? newSet(session, value.items) : value
}

export function shallowCopy(session: Session, value: Value): Value {
  if (isListValue(value)) return session.made([...value])
  if (isMutableDict(value)) {
    const copy = newDict(session, value)
    copyRemarks(session, value, copy)
    return copy
  }
  return value instanceof PySet ? newSet(session, value.items) : value
}

function copyRemarks(session: Session, from: object, to: object): void {
  for (const [key, remark] of session.remarks.get(from) ?? []) session.remark(to, key, remark)
}

/** The items of anything that Python iterates. */
export function itemsOf(session: Session, value: Value): readonly Value[] {
  if (value instanceof FileValue) return value.rest().match(/[^\n]*\n|[^\n]+$/g) ?? []
  if (value instanceof NativeObject && value.items) return value.items(session)
  refuseUnknown(session, value)
  if (value instanceof Generator) return [...iterate(session, value)]
  // Checked before it is created: a few characters can write a range of a billion numbers.
  if (value instanceof Range) session.step(value.length)
  const items = listOfValue(value)
  session.step(items.length)
  return items
}

/** The items one after the other: those of a generator are made when they are needed, and counted as they are made. */
export function* iterate(session: Session, value: Value): Iterable<Value> {
  if (!(value instanceof Generator)) {
    yield* itemsOf(session, value)
    return
  }
  for (let next = value.iterator.next(); !next.done; next = value.iterator.next()) {
    session.allocate(null, next.value instanceof Tuple ? next.value.items.length + 4 : 1)
    session.step()
    yield next.value
  }
}

export function lengthOf(session: Session, value: Value): number | undefined {
  if (value instanceof NativeObject) return value.length?.(session) ?? value.items?.(session).length
  return sizeOf(value)
}

/** Only running Python could continue here. */
export function refuseUnknown(session: Session, value: Value): void {
  if (value instanceof Unknown) throw value.error
  if (value instanceof NameRef)
    throw value.declared
      ? pythonError(session.at, `the value of "${value.name}" is known only when Python runs`, 'write the list or text out')
      : pythonError(session.at, `"${value.name}" has no value`, 'assign it above, or import it')
}

/** What Python gives out one item after the other; a list is already there. */
export function generator(items: Iterable<Value>): Generator {
  return new Generator(items[Symbol.iterator]())
}
