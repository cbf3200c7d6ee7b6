import { BadData } from '../bad-data.ts'

const [endMark, entryMark] = [0x06054b50, 0x02014b50]

/** Larger texts are refused: an archive of a few kilobytes can unpack to gigabytes. */
const largestText = 256 << 20

/** The texts of a ZIP archive, read when asked for. Names are taken as UTF-8, also where the archive does not say so. */
type ZippedTexts = { names: readonly string[]; text(name: string): Promise<string> }

/** Reads the table of a ZIP archive: stored or deflated files without encryption, up to 4 GB. */
export function unzipTexts(bytes: Uint8Array, path: string, limit = largestText): ZippedTexts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const broken = () => new BadData('the file is not a ZIP archive that can be read', path)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== endMark) end--
  if (end < 0) throw broken()
  const entries = new Map<string, number>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > end || view.getUint32(at, true) !== entryMark) throw broken()
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [number, number, number]
    entries.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)).normalize('NFC'), at)
    at += 46 + name + extra + comment
  }
  return {
    names: [...entries.keys()],
    async text(name) {
      const entry = entries.get(name.normalize('NFC'))
      if (entry === undefined) throw new BadData(`there is no ${name} in the archive`, path)
      const [method, size, start] = [view.getUint16(entry + 10, true), view.getUint32(entry + 20, true), view.getUint32(entry + 42, true)]
      if (start + 30 > bytes.length || (method !== 0 && method !== 8)) throw broken()
      const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true)
      const packed = Uint8Array.from(bytes.subarray(from, from + size))
      const stored = new Blob([packed]).stream()
      // Not `for await`: Safari's streams cannot be iterated.
      const reader = (method === 8 ? stored.pipeThrough(new DecompressionStream('deflate-raw')) : stored).getReader()
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      let [text, unpacked] = ['', 0]
      try {
        while (unpacked <= limit) {
          const { done, value } = await reader.read()
          if (done) return text + decoder.decode()
          unpacked += value.length
          text += decoder.decode(value, { stream: true })
        }
        await reader.cancel()
      } catch {
        throw new BadData(`${name} in the archive cannot be read`, path)
      }
      throw new BadData(`${name} in the archive has more than ${limit >> 20} MiB`, path)
    },
  }
}
