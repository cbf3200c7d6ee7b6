/** UTF-8 as text, a byte order mark included; undefined if it is none. */
export function strictText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** UTF-8 without the bytes that are none. The decoder replaces them with U+FFFD; a U+FFFD that is in the file must stay. */
export function withoutBadBytes(bytes: Uint8Array): string {
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
