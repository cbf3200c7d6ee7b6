import type { Value } from '../../values/value.ts'
import type { Session } from '../session.ts'
import { NativeObject } from '../values.ts'
import { defineModule, native } from './define-module.ts'

/** A logger or progress bar whose methods do nothing. */
class Silent extends NativeObject {
  readonly typeName = 'Logger'

  attribute(_: Session, name: string): Value {
    return native(name, () => this)
  }

  override call(): Value {
    return this
  }
}

export const silent = new Silent()

export const logging = defineModule('logging', {
  getLogger: native('getLogger', () => silent),
  ...Object.fromEntries(['debug', 'info', 'warning', 'error', 'critical', 'basicConfig'].map((name) => [name, native(name, () => null)])),
})

export const warnings = defineModule('warnings', { warn: native('warn', () => null), filterwarnings: native('filterwarnings', () => null) })

/** `tqdm(items)` is the items. */
export const tqdm = defineModule('tqdm', { tqdm: native('tqdm', (_, [items]) => items ?? null) })
