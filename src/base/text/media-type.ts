/** The first bytes of common types of media. */
const signatures: readonly (readonly [type: string, start: readonly number[], offset?: number])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x57, 0x45, 0x42, 0x50], 8],
  ['image/bmp', [0x42, 0x4d]],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['audio/wav', [0x57, 0x41, 0x56, 0x45], 8],
  ['audio/mpeg', [0x49, 0x44, 0x33]],
  ['audio/mpeg', [0xff, 0xfb]],
  ['audio/flac', [0x66, 0x4c, 0x61, 0x43]],
  ['audio/ogg', [0x4f, 0x67, 0x67, 0x53]],
  ['video/mp4', [0x66, 0x74, 0x79, 0x70], 4],
  ['video/webm', [0x1a, 0x45, 0xdf, 0xa3]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46]],
]

/**
 * The MIME type of media by their first bytes; undefined if they are none of the common types.
 *
 * @example
 * mediaType(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])) // => 'image/jpeg'
 */
export function mediaType(bytes: Uint8Array): string | undefined {
  return signatures.find(([, start, offset = 0]) => start.every((byte, index) => bytes[offset + index] === byte))?.[0]
}
