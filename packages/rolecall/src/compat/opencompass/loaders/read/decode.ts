import { strictText, withoutBadBytes } from '../../../../python/library/decode-text.ts'
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
  const text = strictText(bytes)
  if (text === undefined) throw new BadData('the file is not UTF-8 text', place)
  return text
}
