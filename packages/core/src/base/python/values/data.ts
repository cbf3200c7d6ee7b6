/**
 * A value as Python sees it, in the plainest JavaScript that loses nothing:
 * an integral `number` is an int, any other `number` a float, a `PyFloat` a float such as `1.0` that JavaScript would
 * take for an int, a `bigint` an int beyond 2^53.
 */
export type PyValue = null | boolean | number | bigint | string | PyFloat | readonly PyValue[] | PyDict

/** A Python dict with string keys: a plain object where JavaScript keeps the order of its keys, else a `Map`. */
export type PyDict = { readonly [key: string]: PyValue } | ReadonlyMap<string, PyValue>

/** A Python float whose value is integral; make one with `pyFloat`, which leaves other numbers as they are. */
export class PyFloat {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/**
 * A Python float in its plainest form.
 * @example pyFloat(0.5) // => 0.5
 * @example pyStr(pyFloat(1)) // => '1.0'
 */
export function pyFloat(value: number): number | PyFloat {
  return Number.isInteger(value) ? new PyFloat(value) : value
}

export function isList(value: unknown): value is readonly PyValue[] {
  return Array.isArray(value)
}

/** Whether a value is a dict: a `Map` or a plain object, not an instance of a class such as `Date`. */
export function isDict(value: unknown): value is PyDict {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (value instanceof Map) return true
  // The prototype's prototype, not `=== Object.prototype`: a config evaluated in another realm has another Object.
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether a plain object would move this key to the front (array indices) or swallow it (`__proto__`). */
export function needsMap(key: string): boolean {
  const first = key.charCodeAt(0)
  // Most keys begin with a letter, and a look at it costs less than the pattern.
  return (first === underscore || (first >= zero && first <= nine)) && /^(?:0|[1-9]\d{0,9}|__proto__)$/.test(key)
}

/**
 * A dict that keeps the order of its entries; of a key given twice the last value wins, at the first position.
 * @example pyRepr(dictFromEntries([['b', 1], ['2', 2], ['1', 3]])) // => "{'b': 1, '2': 2, '1': 3}"
 */
export function dictFromEntries(entries: Iterable<readonly [key: string, value: PyValue]>): PyDict {
  let dict: PyDict = {}
  for (const [key, value] of entries) dict = addEntry(dict, key, value)
  return dict
}

/** Adds an entry to a dict that is not shared yet, and returns the dict: a new one when the first key needs a `Map`. */
export function addEntry(dict: PyDict, key: string, value: PyValue): PyDict {
  if (dict instanceof Map) return (dict as Map<string, PyValue>).set(key, value)
  if (needsMap(key)) return new Map(Object.entries(dict)).set(key, value)
  ;(dict as { [key: string]: PyValue })[key] = value
  return dict
}

const zero = 0x30
const nine = 0x39
const underscore = 0x5f

export function dictEntries(dict: PyDict): [key: string, value: PyValue][] {
  return isMap(dict) ? [...dict] : Object.entries(dict)
}

export function dictKeys(dict: PyDict): string[] {
  return isMap(dict) ? [...dict.keys()] : Object.keys(dict)
}

// Own properties only: a row without a column "constructor" must not show JavaScript's.
export function dictHas(dict: PyDict, key: string): boolean {
  return isMap(dict) ? dict.has(key) : Object.hasOwn(dict, key)
}

export function dictGet(dict: PyDict, key: string): PyValue | undefined {
  if (isMap(dict)) return dict.get(key)
  return Object.hasOwn(dict, key) ? dict[key] : undefined
}

function isMap(dict: PyDict): dict is ReadonlyMap<string, PyValue> {
  return dict instanceof Map
}

/**
 * How many levels lists and dicts may nest. Python stops at about the same depth (its recursion limit is 1,000), and code
 * that walks a value by recursion can rely on it not to run out of stack.
 */
export const maxDepth = 1000

// Not `toLocaleString`, which would load the tables of all languages at every start.
export const tooDeep = `nested more than ${maxDepth / 1000},000 levels deep`

/** The error for a value that Python has no form for here, such as a `Date` or a function. */
export function unsupportedType(value: unknown): TypeError {
  return new TypeError(
    `a value of type ${typeName(value)} has no Python form: use null, a boolean, a number, a bigint, a string, an array, a plain object or a Map`,
  )
}

function typeName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'object'
}
