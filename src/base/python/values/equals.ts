import { PyFloat } from '../index.ts'
import { longText, touch, touchText } from '../meter.ts'
import { dictSize, entriesOf, getKey, keysOf } from './dict.ts'
import { Undefined } from './undefined.ts'
import { type Dict, DictView, isDictValue, isListValue, isNumber, PySet, Range, stringOf, Tuple, type Value } from './value.ts'

/** Python's `==`: numbers of any type by value, text and lists by content; values of other types are never equal. */
export function equals(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return sameText(a, b)
  if (a === b) return true
  const text = stringOf(a)
  if (text !== undefined) return sameText(text, stringOf(b))
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are equal, exactly
  if (isNumber(a)) return isNumber(b) && numeric(a) == numeric(b)
  if (a === null || b === null) return false
  if (isListValue(a)) return isListValue(b) && sameItems(a, b)
  if (a instanceof Tuple) return b instanceof Tuple && sameItems(a.items, b.items)
  if (a instanceof Undefined) return b instanceof Undefined
  if (a instanceof Range) return b instanceof Range && sameRange(a, b)
  if (a instanceof DictView) return b instanceof DictView && sameView(a, b)
  if (a instanceof PySet) return b instanceof PySet && sameKeys(a.dict, b.dict)
  return isDictValue(a) && isDictValue(b) && sameEntries(a, b)
}

/** Texts that are equal are looked at from end to end. */
function sameText(a: string, b: string | undefined): boolean {
  if (b === undefined || a.length !== b.length) return false
  if (a.length > longText) touchText(a.length)
  return a === b
}

export function numeric(value: boolean | number | bigint | PyFloat): number | bigint {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value instanceof PyFloat ? value.value : value
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
