import { checkHashable } from '../values/dict.ts'
import { equals } from '../values/equals.ts'
import { isDictValue, type Key, OriginDict, PySet, type Value } from '../values/value.ts'
import type { Session } from './session.ts'

/** A dict that can be changed. */
export type MutableDict = Map<Key, Value>

export function isMutableDict(value: Value): value is Value & MutableDict {
  return value instanceof Map && isDictValue(value)
}

export function newDict(session: Session, entries: Iterable<readonly [Value, Value]> = []): MutableDict {
  const dict = new OriginDict() as unknown as MutableDict
  for (const [key, value] of entries) setItem(session, dict, key, value)
  return dict
}

export function newSet(session: Session, items: readonly Value[]): PySet {
  return new PySet(
    newDict(
      session,
      items.map((item) => [item, null] as const),
    ),
  )
}

export function setItem(session: Session, dict: MutableDict, key: Value, value: Value): void {
  session.allocate(null, 1)
  dict.set(sameKey(session, dict, key), value)
}

/** Of equal keys (1, 1.0, True) the first stays. */
export function sameKey(session: Session, dict: ReadonlyMap<Key, Value>, key: Value): Key {
  if (typeof key === 'string') return key
  checkHashable(key)
  if (dict.has(key as Key)) return key as Key
  // Keys that are not strings are found by looking at all of them.
  session.step(1 + (dict.size >> 3))
  for (const other of dict.keys()) if (typeof other !== 'string' && equals(other, key)) return other
  return key as Key
}
