import { isDict, isList, type PyValue } from '../python/values/data.ts'
import { Text } from '../python/values/text.ts'
import type { Value } from '../python/values/value.ts'
import { InputDict, type InputPlace } from '../python/values/value.ts'
import type { Source, TextPiece } from '../text/index.ts'

/** The origin of an input value's strings. */
export type InputOrigin = {
  by: Source['by']
  path: string
  /** The strings are control text: they are the model's special tokens. */
  control?: true
  /** For a list of messages: the `role`s that count as part of the markup. */
  roles?: ReadonlySet<string>
}

/** The same value with strings that carry their origin, dict keys included. Dicts are wrapped lazily. */
export function withOrigins(value: PyValue, origin: InputOrigin): Value {
  return wrap(value, new ValuePlace(origin, undefined, ''))
}

function wrap(value: PyValue | undefined, place: ValuePlace): Value {
  if (typeof value === 'string') return Text.at(place, value)
  if (typeof value !== 'object' || value === null) return value ?? null
  if (isList(value)) return value.map((item, index) => wrap(item, place.child(index)))
  return isDict(value) ? new InputDict(value, place, wrap as (value: PyValue | undefined, place: InputPlace) => Value) : (value as Value)
}

/** A value's path in the input; it is assembled only when it is shown. */
class ValuePlace implements InputPlace {
  readonly origin: InputOrigin
  readonly parent: ValuePlace | undefined
  readonly key: string | number
  #path: string | undefined

  constructor(origin: InputOrigin, parent: ValuePlace | undefined, key: string | number) {
    this.origin = origin
    this.parent = parent
    this.key = key
  }

  child(key: string | number): ValuePlace {
    return new ValuePlace(this.origin, this, key)
  }

  pieceOf(text: string, offset: number): TextPiece {
    const { by } = this.origin
    // Spelled out: copying a source for every string would take most of the time.
    return { text, control: this.#isControl(text), source: { by, path: this.path, span: [offset, offset + text.length] } }
  }

  keyText(key: string): Text {
    return Text.of(key, key === '' ? [] : [{ text: key, control: false, source: { by: this.origin.by, path: `${this.path}.${key}` } }])
  }

  #isControl(text: string): boolean {
    const { control = false, roles } = this.origin
    if (roles === undefined || this.key !== 'role') return control
    return this.parent?.parent !== undefined && this.parent.parent.parent === undefined && roles.has(text)
  }

  get path(): string {
    if (this.#path === undefined) {
      const before = this.parent?.path
      if (before === undefined) this.#path = this.origin.path
      else this.#path = typeof this.key === 'number' ? `${before}[${this.key}]` : `${before}.${this.key}`
    }
    return this.#path
  }
}
