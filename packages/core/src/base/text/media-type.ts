/** The type of a file by its whole signature: two letters alone also begin texts, and what passes as media may be sent to a server. */
type Signature = (file: Start) => string | undefined

/** The first bytes of a file, and its size. */
type Start = { bytes: Uint8Array; size: number; text(from: number, to: number): string; view: DataView }

const signatures: readonly Signature[] = [
  (file) => (begins(file, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) ? 'image/png' : undefined),
  // A marker follows the start of the image.
  ({ bytes }) => (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff && bytes[3]! >= 0xc0 ? 'image/jpeg' : undefined),
  (file) => (/^GIF8[79]a$/.test(file.text(0, 6)) ? 'image/gif' : undefined),
  (file) => (file.text(0, 4) === 'RIFF' ? riffTypes[file.text(8, 12)] : undefined),
  (file) => (isBitmap(file) ? 'image/bmp' : undefined),
  (file) => (begins(file, [0x49, 0x49, 0x2a, 0x00]) && isWithin(file, 4, true) ? 'image/tiff' : undefined),
  (file) => (begins(file, [0x4d, 0x4d, 0x00, 0x2a]) && isWithin(file, 4, false) ? 'image/tiff' : undefined),
  (file) => (isTagged(file) || isFrame(file) ? 'audio/mpeg' : undefined),
  // The stream's own description, of 34 bytes, is always first.
  (file) => (file.text(0, 4) === 'fLaC' && (file.bytes[4]! & 0x7f) === 0 && file.text(5, 8) === '\0\0"' ? 'audio/flac' : undefined),
  (file) => (file.text(0, 5) === 'OggS\0' && file.bytes[5]! <= 7 ? 'audio/ogg' : undefined),
  brandType,
  (file) =>
    begins(file, [0x1a, 0x45, 0xdf, 0xa3]) && /\x42\x82[\x80-\xff](?:webm|matroska)/.test(file.text(4, 64)) ? 'video/webm' : undefined,
  (file) => (/^%PDF-[12]\.\d[\r\n]/.test(file.text(0, 9)) ? 'application/pdf' : undefined),
]

const riffTypes: Readonly<Record<string, string>> = { WEBP: 'image/webp', WAVE: 'audio/wav' }

/**
 * The MIME type of media by their first bytes; undefined if they are none of the common types. `size` is that of the whole file, if these
 * are only its first bytes.
 *
 * @example
 * mediaType(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])) // => 'image/jpeg'
 */
export function mediaType(bytes: Uint8Array, size: number = bytes.length): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  for (const signature of signatures) {
    const type = signature({ bytes, size, text, view })
    if (type !== undefined) return type
  }
  return undefined
}

function begins({ bytes }: Start, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

/** Whether an offset in the file leads behind its head and not beyond its end. */
function isWithin({ view, size }: Start, at: number, isLittle: boolean): boolean {
  if (view.byteLength < at + 4) return false
  const offset = view.getUint32(at, isLittle)
  return offset >= 8 && offset < size
}

/** The sizes of the headers that bitmaps have had. */
const bitmapHeaders: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124])

/** The size of the file, four reserved bytes that are zero, where its pixels begin, and the size of the next header. */
function isBitmap(file: Start): boolean {
  const { view, size } = file
  if (file.text(0, 2) !== 'BM' || view.byteLength < 18) return false
  const [length, reserved, pixels, header] = [
    view.getUint32(2, true),
    view.getUint32(6, true),
    view.getUint32(10, true),
    view.getUint32(14, true),
  ]
  // Some programs count the padding at the end, and some do not.
  return length > pixels && length <= size + 4 && reserved === 0 && pixels >= 14 + header && bitmapHeaders.has(header)
}

/** An ID3 tag: its version, flags of which four are zero, and a size whose bytes are below 128. */
function isTagged({ bytes, text }: Start): boolean {
  const [version, revision, flags, ...size] = bytes.subarray(3, 10)
  const isVersion = version !== undefined && version >= 2 && version <= 4 && revision !== 0xff
  return text(0, 3) === 'ID3' && isVersion && (flags! & 0x0f) === 0 && size.length === 4 && size.every((byte) => byte < 0x80)
}

/** A frame of MPEG layer III, with a rate of bits and of samples that there is. */
function isFrame({ bytes: [first, second, third] }: Start): boolean {
  return (
    first === 0xff && [0xfb, 0xfa, 0xf3, 0xf2].includes(second!) && third! >> 4 !== 0 && third! >> 4 !== 15 && ((third! >> 2) & 3) !== 3
  )
}

/** `ftyp`: a box of whole words that has a brand, its version and other brands. */
function brandType({ view, size, text }: Start): string | undefined {
  if (view.byteLength < 12 || text(4, 8) !== 'ftyp') return undefined
  const length = view.getUint32(0)
  if (length < 16 || length > Math.min(size, 1024) || length % 4 !== 0) return undefined
  const brand = text(8, 12)
  return brands.find(([start]) => brand.startsWith(start))?.[1] ?? 'video/mp4'
}

const brands: readonly (readonly [start: string, type: string])[] = [
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
  ['M4A', 'audio/mp4'],
]
