import { isInt, type Value, valueError } from '@rolecall/core/internal/python'
import { NativeObject } from '../values.ts'
import { defineModule, native } from './define-module.ts'

/** `uuid.UUID` of a number. */
class UuidValue extends NativeObject {
  readonly typeName = 'UUID'

  constructor(readonly digits: string) {
    super()
  }

  attribute(_: unknown, name: string): Value | undefined {
    return name === 'hex' ? this.digits : undefined
  }

  override show(): string {
    return `UUID('${this.toStr()}')`
  }

  override toStr(): string {
    return this.digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}

/** The number with the bits of the variant and the version of RFC 4122. */
function withVersion(number: bigint, version: bigint): bigint {
  const marked = (number & ~(0xc000n << 48n)) | (0x8000n << 48n)
  return (marked & ~(0xf000n << 64n)) | (version << 76n)
}

/** `uuid`: numbers as UUIDs; the random ones of Python do not come from `random`. */
export const uuid = defineModule('uuid', {
  UUID: native('UUID(*, int, version=None)', (_, __, kwargs) => {
    const [given, version] = [kwargs?.get('int'), kwargs?.get('version')]
    const number = isInt(given) ? BigInt(given) : -1n
    if (number < 0n || number >> 128n !== 0n) throw valueError('int is out of range (need a 128-bit value)')
    return new UuidValue((isInt(version) ? withVersion(number, BigInt(version)) : number).toString(16).padStart(32, '0'))
  }),
})
