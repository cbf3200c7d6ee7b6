import { isDict as isPlainDict, PyFloat } from '../index.ts'
import { InputDict } from './input-dict.ts'
import { type Str, Text } from './text.ts'

/** What a template works with: Python's values in the plainest JavaScript, as `python/` has them, and the objects of Jinja2. */
export type Value = null | boolean | number | bigint | string | PyFloat | Text | Markup | readonly Value[] | Dict | PyObject

/** A dict: a plain object of the input, or a `Map`, whose keys may be of any type that Python can hash. */
export type Dict = { readonly [key: string]: Value } | ReadonlyMap<Key, Value> | InputDict
export type Key = null | boolean | number | bigint | string | PyFloat | PyObject
export type Kwargs = ReadonlyMap<string, Value> | undefined

/** Text that counts as HTML: what is added to it is escaped, also where autoescape is off, as MarkupSafe does. */
export class Markup {
  constructor(readonly text: Str) {}
}

/** Any object that is not a str, number, list or dict. */
export abstract class PyObject {
  /** The name of its Python class. */
  abstract readonly typeName: string

  /** What Python's `repr()` shows, where that is not the place in memory. */
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

/** What is read once, one item after the other: the result of `map`, `select` and the like. */
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

/** A dict that the template makes: in a render with origins a key, too, knows where it comes from. */
export class OriginDict extends Map<string, Value> {
  readonly keyTexts = new Map<string, Text>()
  /** How many keys are neither texts nor plain ints: those can only be found by looking at all. */
  oddKeys = 0
}

export function isStr(value: Value): value is Str | Markup {
  return typeof value === 'string' || value instanceof Text || value instanceof Markup
}

/** The text of a str, of whatever kind; undefined for other values. */
export function strOf(value: Value | undefined): Str | undefined {
  if (typeof value === 'string' || value instanceof Text) return value
  return value instanceof Markup ? value.text : undefined
}

/** As `strOf`, without who wrote it. */
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

/** Whether a value is an int; bools are. */
export function isInt(value: Value | undefined): value is boolean | number | bigint {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint' || typeof value === 'boolean'
}

export function isFloat(value: Value | undefined): value is number | PyFloat {
  return value instanceof PyFloat || (typeof value === 'number' && !Number.isInteger(value))
}
