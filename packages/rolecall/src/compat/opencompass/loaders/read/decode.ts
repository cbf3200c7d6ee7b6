import { BadData } from '../bad-data.ts'

export type TextOptions = {
  /** `utf-8-sig` drops a byte order mark. */
  encoding?: 'utf-8' | 'utf-8-sig'
  /** How invalid UTF-8 is handled. */
  errors?: 'strict' | 'ignore'
  /** `''` keeps line ends unchanged. */
  newline?: ''
}

/** Decodes bytes like Python's `open` in text mode: `\r\n` and a lone `\r` become `\n`. */
export function decode(bytes: Uint8Array, place: string, { encoding = 'utf-8', errors = 'strict', newline }: TextOptions = {}): string {
  const decoded = errors === 'ignore' ? withoutBadBytes(bytes) : strictly(bytes, place)
  const text = encoding === 'utf-8-sig' && decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded
  return newline === undefined && text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

function strictly(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BadData('the file is not UTF-8 text', place)
  }
}

/** The decoder replaces invalid bytes with U+FFFD; a U+FFFD that is in the file must stay. */
function withoutBadBytes(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parts: string[] = []
  let from = 0
  for (let at = 0; at + 2 < bytes.length; at++) {
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) continue
    parts.push(decoder.decode(bytes.subarray(from, at)))
    from = at + 3
  }
  parts.push(decoder.decode(bytes.subarray(from)))
  return parts.map((part) => part.replaceAll('\ufffd', '')).join('\ufffd')
}
