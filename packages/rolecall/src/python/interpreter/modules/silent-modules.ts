import type { Value } from '@rolecall/core/internal/python'
import type { Session } from '../session.ts'
import { NativeObject } from '../values.ts'
import { defineModule, native } from './define-module.ts'

/** A logger or progress bar whose methods do nothing. */
class Silent extends NativeObject {
  readonly typeName = 'Logger'

  attribute(_: Session, name: string): Value {
    return native(`${name}(*args, **kwargs)`, () => this)
  }

  override call(): Value {
    return this
  }
}

export const silent = new Silent()

export const logging = defineModule('logging', {
  getLogger: native('getLogger(name=None)', () => silent),
  ...Object.fromEntries(
    ['debug', 'info', 'warning', 'error', 'critical', 'basicConfig'].map((name) => [name, native(`${name}(*args, **kwargs)`, () => null)]),
  ),
})

export const warnings = defineModule('warnings', {
  warn: native('warn(*args, **kwargs)', () => null),
  filterwarnings: native('filterwarnings(*args, **kwargs)', () => null),
})

/** `tqdm(items)` is the items. */
export const tqdm = defineModule('tqdm', { tqdm: native('tqdm(iterable=None, *args, **kwargs)', (_, [items]) => items ?? null) })
