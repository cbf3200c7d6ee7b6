/** What the blocks of a Zstandard source unpack to: exactly for the stored and repeated ones, at most for the compressed ones. */
export type ZstdSize = { exact: number; atMost: number }

const largestBlock = 128 << 10

/**
 * The size that the block headers of a Zstandard source add up to, without unpacking it; undefined if it is damaged. A few bytes can stand
 * for gigabytes, and the unpacker that we use takes no limit.
 * @see https://www.rfc-editor.org/rfc/rfc8878
 */
export function zstdSize(source: Uint8Array): ZstdSize | undefined {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  const size = { exact: 0, atMost: 0 }
  try {
    for (let at = 0; at < source.length; ) at = afterFrame(view, at, size)
    return size
  } catch {
    return undefined
  }
}

function afterFrame(view: DataView, start: number, size: ZstdSize): number {
  const magic = view.getUint32(start, true)
  if (magic >>> 4 === 0x184d2a5) return start + 8 + view.getUint32(start + 4, true)
  if (magic !== 0xfd2fb528) throw new RangeError('not a frame')
  const flags = view.getUint8(start + 4)
  const isSingle = ((flags >> 5) & 1) === 1
  const dictionary = [0, 1, 2, 4][flags & 3] ?? 0
  const content = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  let at = start + 5 + (isSingle ? 0 : 1) + dictionary + content
  for (let isLast = false; !isLast; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    const [type, length] = [(header >> 1) & 3, header >> 3]
    isLast = (header & 1) === 1
    const unpacked = type === 2 ? largestBlock : length
    size.atMost += unpacked
    if (type !== 2) size.exact += unpacked
    // A repeated byte is written once.
    at += 3 + (type === 1 ? 1 : length)
  }
  return at + ((flags >> 2) & 1) * 4
}
