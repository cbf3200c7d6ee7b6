import { dictGet, dictHas, dictKeys, type PyDict, type PyValue } from '../index.ts'
import type { Place, Text } from './text.ts'
import type { Value } from './value.ts'

export type InputPlace = Place & { child(key: string | number): InputPlace; keyText(key: string): Text }

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
