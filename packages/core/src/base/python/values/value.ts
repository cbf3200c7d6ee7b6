import { PythonError } from '../python-error.ts'
import { dictGet, dictHas, dictKeys, isDict as isPlainDict, type PyDict, PyFloat, type PyValue } from './data.ts'
import { stringRepr } from './strings.ts'
import { type Str, Text, type TextSource } from './text.ts'

/**
 * Any Python value that templates and programs work with. Plain data (`PyValue`: JSON, rows) is a subset without origins and objects, so
 * that it can be stored; the functions here take both.
 */
export type Value = null | boolean | number | bigint | string | PyFloat | Text | Markup | readonly Value[] | Dict | PyObject

/** A dict: a plain object of the input, or a `Map`, whose keys may be of any type that Python can hash. */
export type Dict = { readonly [key: string]: Value } | ReadonlyMap<Key, Value> | InputDict

export type Key = null | boolean | number | bigint | string | PyFloat | PyObject

export type Kwargs = ReadonlyMap<string, Value> | undefined

/** Text that is safe HTML: text added to it is escaped even if autoescape is off, as in MarkupSafe. */
export class Markup {
  constructor(readonly text: Str) {}
}

/** An object that is not a str, number, list or dict. */
export abstract class PyObject {
  /** The name of its Python class. */
  abstract readonly typeName: string
  /** The number that it counts as, as numpy's do. */
  readonly number?: boolean | number | bigint | PyFloat

  /** The text of Python's `repr()`, without a memory address. */
  show(): string {
    return `<${this.typeName} object>`
  }
}

export class Tuple extends PyObject {
  readonly typeName: string = 'tuple'

  constructor(readonly items: readonly Value[]) {
    super()
  }
}

/** A set, whose items are the keys of a dict, in insertion order. */
export class PySet extends PyObject {
  readonly typeName = 'set'

  constructor(readonly dict: Map<Key, Value>) {
    super()
  }

  get items(): Value[] {
    return [...this.dict.keys()]
  }
}

export class Range extends PyObject {
  readonly typeName = 'range'
  readonly length: number

  constructor(
    readonly start: number,
    readonly stop: number,
    readonly step: number,
  ) {
    super()
    this.length = Math.max(0, Math.ceil((stop - start) / step))
  }

  at(index: number): number {
    return this.start + index * this.step
  }
}

/** An iterator that can be read once: the result of `map`, `select` and the like. */
export class Generator extends PyObject {
  constructor(
    readonly iterator: Iterator<Value>,
    readonly typeName = 'generator',
  ) {
    super()
  }
}

export class DictView extends PyObject {
  readonly typeName: string

  constructor(
    readonly dict: Dict,
    readonly shows: 'keys' | 'values' | 'items',
  ) {
    super()
    this.typeName = `dict_${shows}`
  }
}

/** `namespace(…)`: the one thing that a template can change. */
export class Namespace extends PyObject {
  readonly typeName = 'Namespace'
  readonly attributes = new Map<string, Value>()
}

export class Slice extends PyObject {
  readonly typeName = 'slice'

  constructor(
    readonly start: Value,
    readonly stop: Value,
    readonly step: Value,
  ) {
    super()
  }
}

/** A dict that a template or program creates. In a render with origins its keys have origins as well. */
export class OriginDict extends Map<string, Value> {
  readonly keyTexts = new Map<string, Text>()
  /** The number of keys that are neither texts nor plain ints; finding those takes a linear search. */
  oddKeys = 0
}

export function isStr(value: Value): value is Str | Markup {
  return typeof value === 'string' || value instanceof Text || value instanceof Markup
}

/** The text of any kind of str; undefined for other values. */
export function strOf(value: Value | undefined): Str | undefined {
  if (typeof value === 'string' || value instanceof Text) return value
  return value instanceof Markup ? value.text : undefined
}

/** As `strOf`, without origins. */
export function stringOf(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (value instanceof Text) return value.value
  if (value instanceof Markup) return stringOf(value.text)
  return undefined
}

export function isListValue(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value)
}

export function isDictValue(value: unknown): value is Dict {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (
    prototype === Object.prototype ||
    prototype === Map.prototype ||
    prototype === OriginDict.prototype ||
    prototype === InputDict.prototype
  )
    return true
  if (value instanceof PyObject || value instanceof PyFloat || value instanceof Text || value instanceof Markup) return false
  return isPlainDict(value)
}

export function isNumber(value: Value | undefined): value is boolean | number | bigint | PyFloat {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof PyFloat
}

/** A number of numpy as one of Python; other values are unchanged. */
export function plainNumber(value: Value): Value {
  return value instanceof PyObject && value.number !== undefined ? value.number : value
}

/** Whether a value is an int; bools are. */
export function isInt(value: Value | undefined): value is boolean | number | bigint {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint' || typeof value === 'boolean'
}

export function isFloat(value: Value | undefined): value is number | PyFloat {
  return value instanceof PyFloat || (typeof value === 'number' && !Number.isInteger(value))
}

export type InputPlace = TextSource & { child(key: string | number): InputPlace; keyText(key: string): Text }

/** A dict of the input in a render with origins: its strings, keys included, know where they come from. */
export class InputDict {
  readonly #raw: PyDict
  readonly #place: InputPlace
  readonly #wrap: (value: PyValue | undefined, place: InputPlace) => Value
  readonly #read = new Map<string, Value>()

  constructor(raw: PyDict, place: InputPlace, wrap: (value: PyValue | undefined, place: InputPlace) => Value) {
    this.#raw = raw
    this.#place = place
    this.#wrap = wrap
  }

  get(key: string): Value | undefined {
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const value = dictGet(this.#raw, key)
    if (value === undefined && !dictHas(this.#raw, key)) return undefined
    const wrapped = this.#wrap(value, this.#place.child(key))
    this.#read.set(key, wrapped)
    return wrapped
  }

  get size(): number {
    return dictKeys(this.#raw).length
  }

  keys(): Text[] {
    return dictKeys(this.#raw).map((key) => this.#place.keyText(key))
  }

  values(): Value[] {
    return dictKeys(this.#raw).map((key) => this.get(key)!)
  }

  entries(): [Text, Value][] {
    return dictKeys(this.#raw).map((key) => [this.#place.keyText(key), this.get(key)!])
  }
}

/** The name of a value's Python class. */
export function typeName(value: Value | undefined): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'string' || value instanceof Text) return 'str'
  if (value instanceof Markup) return 'Markup'
  if (typeof value === 'boolean') return 'bool'
  if (isInt(value)) return 'int'
  if (isFloat(value)) return 'float'
  if (Array.isArray(value)) return 'list'
  if (value instanceof PyObject) return value.typeName
  return isDictValue(value) ? 'dict' : 'object'
}

/** A value's class as Jinja2's messages have it. */
export function objectTypeName(value: Value): string {
  if (value === null) return 'None'
  if (value instanceof Markup) return 'markupsafe.Markup object'
  return `${typeName(value)} object`
}

/** A missing value: empty and false, and an error when used in any other way. */
export class Undefined extends PyObject {
  readonly typeName = 'Undefined'

  constructor(
    readonly message: () => string,
    readonly errorType = 'UndefinedError',
  ) {
    super()
  }

  get error(): PythonError {
    return new PythonError(this.errorType, this.message())
  }
}

export function undefinedName(name: string): Undefined {
  return new Undefined(() => `${stringRepr(name)} is undefined`)
}

export function undefinedAttribute(object: Value, name: string): Undefined {
  return new Undefined(() => `${stringRepr(objectTypeName(object))} has no attribute ${stringRepr(name)}`)
}

export function undefinedElement(object: Value, shownKey: () => string): Undefined {
  return new Undefined(() => `${objectTypeName(object)} has no element ${shownKey()}`)
}

/** The sandbox's value for an attribute that templates may not use. */
export function unsafeAttribute(typeName: string, name: string): Undefined {
  return new Undefined(() => `access to attribute ${stringRepr(name)} of ${stringRepr(typeName)} object is unsafe.`, 'SecurityError')
}

export function numeric(value: boolean | number | bigint | PyFloat): number | bigint {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value instanceof PyFloat ? value.value : value
}
