import type { Value } from '@rolecall/core/internal/python'
import type { Session } from '../../../python/interpreter/session.ts'
import { NativeObject } from '../../../python/interpreter/values.ts'

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
