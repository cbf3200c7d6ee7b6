import { ImportLimitError } from '../syntax/import-error.ts'
import { isListValue, PySet, Tuple, type Value } from '../values/value.ts'
import { isMutableDict, type MutableDict, newDict, newSet } from './dicts.ts'
import type { Session } from './session.ts'

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
