/** One field of a protobuf message as encoded on the wire. */
export type WireField =
  | { number: number; kind: 'varint'; value: number }
  | { number: number; kind: 'bytes'; value: Uint8Array }
  | { number: number; kind: 'float'; value: number }
  | { number: number; kind: 'fixed64' }

/**
 * Reads a protobuf message field by field, without knowing its schema: https://protobuf.dev/programming-guides/encoding/
 * Invalid protobuf is reported to `fail`.
 */
export function* readFields(bytes: Uint8Array, fail: (problem: string) => never): Generator<WireField, void, undefined> {
  let at = 0

  while (at < bytes.length) {
    const tag = readVarint()
    const number = Math.floor(tag / 8)
    if (number < 1) fail('it is not protobuf (a field without a number)')
    switch (tag & 7) {
      case 0:
        yield { number, kind: 'varint', value: readVarint() }
        break
      case 1:
        readBytes(8)
        yield { number, kind: 'fixed64' }
        break
      case 2:
        yield { number, kind: 'bytes', value: readBytes(readVarint()) }
        break
      case 5: {
        const four = readBytes(4)
        yield { number, kind: 'float', value: new DataView(four.buffer, four.byteOffset, 4).getFloat32(0, true) }
        break
      }
      default:
        fail(`it is not protobuf (a field of wire type ${tag & 7})`)
    }
  }

  function readByte(): number {
    return at < bytes.length ? bytes[at++]! : fail('it ends in the middle of a field')
  }

  function readBytes(length: number): Uint8Array {
    if (length < 0 || length > bytes.length - at) fail('it ends in the middle of a field')
    at += length
    return bytes.subarray(at - length, at)
  }

  function readVarint(): number {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = readByte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    // Negative numbers take ten bytes, which only a bigint holds exactly.
    let wide = BigInt(value)
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = readByte()
      wide |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return Number(BigInt.asIntN(64, wide))
    }
    return fail('it is not protobuf (a number of more than ten bytes)')
  }
}
