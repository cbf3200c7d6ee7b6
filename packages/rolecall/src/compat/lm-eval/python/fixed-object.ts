import type { Session } from '../../../base/python/interpreter/session.ts'
import { NativeObject } from '../../../base/python/interpreter/values.ts'
import type { Value } from '../../../base/python/values/value.ts'

/** An object with attributes that do not change. */
export class FixedObject extends NativeObject {
  constructor(
    readonly typeName: string,
    readonly attributes: Readonly<Record<string, Value>>,
  ) {
    super()
  }

  attribute(_: Session, name: string): Value | undefined {
    return Object.hasOwn(this.attributes, name) ? this.attributes[name] : undefined
  }
}
