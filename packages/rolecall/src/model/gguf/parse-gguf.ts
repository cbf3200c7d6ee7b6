import { PromptError } from '@rolecall/core/internal/errors'
import type { GgufValue } from './gguf-metadata.ts'

/** Metadata precedes the weights; vocabularies make it several megabytes long. */
export const mostGgufBytes = 256 * 1024 * 1024

/** Nested lists are legal but unused in practice. */
const mostDepth = 16

/** Across all lists; the largest vocabularies have a million tokens, each with a score and a type. */
const mostItems = 1 << 25

/** The metadata at the start of a GGUF file; undefined if more bytes are needed. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
export function parseGguf(bytes: Uint8Array, path: string): Map<string, GgufValue> | undefined {
  if (bytes.length < 24) throw badGguf(path, 'it is too short')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) !== magic) throw badGguf(path, 'it does not begin with "GGUF"')
  const version = view.getUint32(4, true)
  if (version < 2 || version > 3) throw badGguf(path, `version ${version} of the format is not supported`)
  let at = 16
  let items = 0
  const more = Symbol('more')
  const need = (count: number): number => {
    if (at + count > bytes.length) throw more
    at += count
    return at - count
  }
  const length = (): number => Number(view.getBigUint64(need(8), true))
  const text = (): string => {
    const size = length()
    if (size > mostGgufBytes) throw badGguf(path, 'a string is too long')
    const start = need(size)
    return decoder.decode(bytes.subarray(start, start + size))
  }
  const value = (type: number, depth = 0): GgufValue => {
    switch (type) {
      case 0:
        return view.getUint8(need(1))
      case 1:
        return view.getInt8(need(1))
      case 2:
        return view.getUint16(need(2), true)
      case 3:
        return view.getInt16(need(2), true)
      case 4:
        return view.getUint32(need(4), true)
      case 5:
        return view.getInt32(need(4), true)
      case 6:
        return view.getFloat32(need(4), true)
      case 7:
        return view.getUint8(need(1)) !== 0
      case 8:
        return text()
      case 9:
        return array(depth + 1)
      case 10:
        return view.getBigUint64(need(8), true)
      case 11:
        return view.getBigInt64(need(8), true)
      case 12:
        return view.getFloat64(need(8), true)
      default:
        throw badGguf(path, `a value has the unknown type ${type}`)
    }
  }
  const array = (depth: number): readonly GgufValue[] => {
    if (depth > mostDepth) throw badGguf(path, `lists are nested more than ${mostDepth} levels deep`)
    const type = view.getUint32(need(4), true)
    const count = length()
    items += count
    if (items > mostItems) throw badGguf(path, 'its lists are too long')
    const list: GgufValue[] = []
    for (let index = 0; index < count; index++) list.push(value(type, depth))
    return list
  }
  try {
    const count = length()
    const metadata = new Map<string, GgufValue>()
    for (let index = 0; index < count; index++) {
      const key = text()
      metadata.set(key, value(view.getUint32(need(4), true)))
    }
    return metadata
  } catch (error) {
    if (error === more) return undefined
    throw error
  }
}

export function badGguf(where: string, problem: string): PromptError {
  return new PromptError('bad-gguf', { where, problem: `this is not a valid GGUF file: ${problem}`, fix: 'check that it is complete' })
}

/** "GGUF". */
const magic = 0x47475546

/** A token may begin with a byte order mark, which is kept. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
