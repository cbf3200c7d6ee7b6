import { limitError, typeError } from '../python-error.ts'
import { longText, touch, touchText } from '../python-limits.ts'
import { Text } from './text.ts'
import {
  type Dict,
  DictView,
  InputDict,
  isDictValue,
  isListValue,
  isNumber,
  type Key,
  Markup,
  numeric,
  OriginDict,
  PySet,
  plainNumber,
  Range,
  stringOf,
  Tuple,
  typeName,
  Undefined,
  type Value,
} from './value.ts'

/** The value of a string key; undefined if absent. */
export function getString(dict: Dict, key: string): Value | undefined {
  if (dict instanceof Map || dict instanceof InputDict) return dict.get(key)
  const record = dict as Record<string, Value>
  // A property that JavaScript calls undefined counts as None, as everywhere here.
  return Object.hasOwn(record, key) ? (record[key] ?? null) : undefined
}

/** The value of a key of any type, by Python's equality: 1, 1.0 and True are the same key. */
export function getKey(dict: Dict, key: Value): Value | undefined {
  const text = stringOf(key)
  if (text !== undefined) {
    if (text.length > longText) touchText(text.length)
    return getString(dict, text)
  }
  checkHashable(key)
  if (!(dict instanceof Map)) return undefined
  if (typeof key === 'number' && dict instanceof OriginDict) {
    const value = (dict as Map<Key, Value>).get(key)
    if (value !== undefined || dict.oddKeys === 0) return value
  }
  touch(dict.size >> 4)
  for (const [other, value] of dict as Map<Key, Value>) if (typeof other !== 'string' && equals(other, key)) return value
  return undefined
}

export function hasKey(dict: Dict, key: Value): boolean {
  return getKey(dict, key) !== undefined
}

/** Its keys, with their origins in a render with origins. */
export function keysOf(dict: Dict): Value[] {
  if (dict instanceof InputDict) return dict.keys()
  if (dict instanceof OriginDict) return [...dict.keys()].map((key) => dict.keyTexts.get(key) ?? key)
  return dict instanceof Map ? [...dict.keys()] : Object.keys(dict)
}

export function valuesOf(dict: Dict): Value[] {
  if (dict instanceof InputDict) return dict.values()
  if (dict instanceof Map) return [...dict.values()]
  return Object.values(dict as Record<string, Value>).map((value) => value ?? null)
}

export function entriesOf(dict: Dict): [Value, Value][] {
  if (dict instanceof InputDict) return dict.entries()
  if (dict instanceof OriginDict) return [...dict].map(([key, value]) => [dict.keyTexts.get(key) ?? key, value])
  if (dict instanceof Map) return [...dict] as [Value, Value][]
  return Object.entries(dict as Record<string, Value>).map(([key, value]) => [key, value ?? null])
}

export function dictSize(dict: Dict): number {
  return dict instanceof Map || dict instanceof InputDict ? dict.size : Object.keys(dict).length
}

/** A new dict; of equal keys the first stays, with the last value. */
export function makeDict(entries: Iterable<readonly [Value, Value]>): Dict {
  const dict = new OriginDict() as Map<Key, Value> & OriginDict
  for (const [key, value] of entries) {
    touch()
    setKey(dict, key, value)
  }
  return dict
}

export function makeSet(items: Iterable<Value>): PySet {
  const dict = new OriginDict() as Map<Key, Value> & OriginDict
  for (const item of items) {
    touch()
    setKey(dict, item, null)
  }
  return new PySet(dict)
}

function setKey(dict: Map<Key, Value> & OriginDict, key: Value, value: Value): void {
  const text = stringOf(key)
  if (text !== undefined) {
    if (text.length > longText) touchText(text.length)
    if (typeof key !== 'string' && !dict.has(text)) {
      const origin = key instanceof Markup ? key.text : key
      if (origin instanceof Text) dict.keyTexts.set(text, origin)
    }
    dict.set(text, value)
    return
  }
  checkHashable(key)
  const isPlain = typeof key === 'number'
  if (!isPlain || dict.oddKeys > 0) {
    touch(dict.size >> 4)
    for (const other of dict.keys()) {
      if (typeof other !== 'string' && equals(other, key)) {
        dict.set(other, value)
        return
      }
    }
  }
  if (!isPlain && ++dict.oddKeys > 1000) throw limitError('a dict with more than 1,000 keys that are neither texts nor ints')
  dict.set(key as Key, value)
}

export function checkHashable(key: Value): void {
  if (isListValue(key) || isDictValue(key) || key instanceof PySet) throw typeError(`unhashable type: '${typeName(key)}'`)
  if (!(key instanceof Tuple)) return
  for (const item of key.items) {
    touch()
    checkHashable(item)
  }
}

/** Python's `==`: numbers of any type by value, text and lists by content; values of other types are never equal. */
export function equals(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return sameText(a, b)
  if (a === b) return true
  const text = stringOf(a)
  if (text !== undefined) return sameText(text, stringOf(b))
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are equal, exactly
  if (isNumber(a)) return isNumber(b) ? numeric(a) == numeric(b) : plainNumber(b) !== b && equals(a, plainNumber(b))
  if (plainNumber(a) !== a) return equals(plainNumber(a), b)
  if (a === null || b === null) return false
  if (isListValue(a)) return isListValue(b) && sameItems(a, b)
  if (a instanceof Tuple) return b instanceof Tuple && sameItems(a.items, b.items)
  if (a instanceof Undefined) return b instanceof Undefined
  if (a instanceof Range) return b instanceof Range && sameRange(a, b)
  if (a instanceof DictView) return b instanceof DictView && sameView(a, b)
  if (a instanceof PySet) return b instanceof PySet && sameKeys(a.dict, b.dict)
  return isDictValue(a) && isDictValue(b) && sameEntries(a, b)
}

/** Comparing equal texts reads them to the end. */
function sameText(a: string, b: string | undefined): boolean {
  if (b === undefined || a.length !== b.length) return false
  if (a.length > longText) touchText(a.length)
  return a === b
}

function sameItems(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) {
    touch()
    if (!equals(a[index] ?? null, b[index] ?? null)) return false
  }
  return true
}

function sameEntries(a: Dict, b: Dict): boolean {
  if (dictSize(a) !== dictSize(b)) return false
  touch(2 + dictSize(a))
  return entriesOf(a).every(([key, value]) => {
    const other = getKey(b, key)
    return other !== undefined && equals(value, other)
  })
}

function sameRange(a: Range, b: Range): boolean {
  return a.length === b.length && (a.length === 0 || (a.start === b.start && (a.length === 1 || a.step === b.step)))
}

function sameView(a: DictView, b: DictView): boolean {
  if (a.shows !== b.shows || a.shows === 'values') return false
  if (a.shows === 'items') return sameEntries(a.dict, b.dict)
  return sameKeys(a.dict, b.dict)
}

function sameKeys(a: Dict, b: Dict): boolean {
  return dictSize(a) === dictSize(b) && keysOf(a).every((key) => getKey(b, key) !== undefined)
}
