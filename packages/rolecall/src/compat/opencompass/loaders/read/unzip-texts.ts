import { limits, UnpackBudget } from '@rolecall/core/internal/errors'
import { BadData } from '../bad-data.ts'
import { unpacked } from './unpacked.ts'

const [endMark, entryMark] = [0x06054b50, 0x02014b50]

/** The texts of a ZIP archive, read when asked for. Names are taken as UTF-8, also where the archive does not say so. */
type ZippedTexts = { names: readonly string[]; text(name: string): Promise<string> }

/** Reads the table of a ZIP archive: stored or deflated files without encryption, up to 4 GB. */
export function unzipTexts(bytes: Uint8Array, path: string): ZippedTexts {
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
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      const damaged = () => new BadData(`${name} in the archive cannot be read`, path)
      const budget = new UnpackBudget(path, bytes.length, limits.unpackedMember)
      let text = ''
      const packed = bytes.subarray(from, from + size)
      try {
        for await (const part of unpacked(packed, method === 8 ? 'deflate-raw' : undefined, { budget, member: name, broken: damaged }))
          text += decoder.decode(part, { stream: true })
        return text + decoder.decode()
      } catch (error) {
        // Bytes that are not UTF-8.
        throw error instanceof TypeError ? damaged() : error
      }
    },
  }
}
