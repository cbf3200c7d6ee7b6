import { typeError, typeName } from '@rolecall/core/internal/python'
import { sha256 as hashOf } from '../../library/sha256.ts'
import { BytesValue } from '../bytes.ts'
import { NativeObject } from '../values.ts'
import { defineModule, native } from './define-module.ts'

class HashValue extends NativeObject {
  readonly typeName = '_hashlib.HASH'

  constructor(readonly hexadecimal: string) {
    super()
  }

  attribute(_: unknown, name: string) {
    return name === 'hexdigest' ? native('hexdigest()', () => this.hexadecimal) : undefined
  }
}

/** The part of `hashlib` that functions of tasks use. */
export const hashlib = defineModule('hashlib', {
  sha256: native("sha256(data=b'')", (session, [data]) => {
    if (!(data instanceof BytesValue)) throw typeError(`object supporting the buffer API required, not ${typeName(data!)}`)
    session.step(data.bytes.length)
    return new HashValue(hashOf(data.bytes))
  }),
})
