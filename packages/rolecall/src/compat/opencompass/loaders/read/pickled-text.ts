import { limits, UnpackBudget } from '@rolecall/core/internal/errors'
import { BadData } from '../bad-data.ts'
import { unpacked } from './unpacked.ts'

/** A text that Python pickled, compressed with zlib and encoded in base64. Other pickles are rejected: nothing is executed. */
export async function pickledText(base64: string, place: string): Promise<string> {
  const unreadable = () => new BadData('this is neither JSON nor a text that Python pickled', place)
  const packed = bytesOf(base64)
  if (packed === undefined) throw unreadable()
  const parts: Uint8Array[] = []
  const budget = new UnpackBudget(place, packed.length, limits.unpackedMember)
  for await (const part of unpacked(packed, 'deflate', { budget, broken: unreadable })) parts.push(part)
  try {
    return textIn(new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer()))
  } catch {
    throw unreadable()
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The opcodes of a pickle that contains one text: https://github.com/python/cpython/blob/3.11/Lib/pickletools.py */
function textIn(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let text: string | undefined
  const read = (length: number, from: number) => {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(from, from + length))
    at = from + length
  }
  while (at < bytes.length) {
    switch (bytes[at++]) {
      case 0x80: // the protocol
      case 0x71: // stores the value under a one-byte index
        at += 1
        break
      case 0x95: // a frame with its length
        at += 8
        break
      case 0x94: // stores the value
        break
      case 0x8c:
        read(bytes[at]!, at + 1)
        break
      case 0x58:
        read(view.getUint32(at, true), at + 4)
        break
      case 0x8d:
        read(Number(view.getBigUint64(at, true)), at + 8)
        break
      case 0x2e:
        if (text !== undefined) return text
        throw new Error('no text')
      default:
        throw new Error('not a text')
    }
  }
  throw new Error('no end')
}
