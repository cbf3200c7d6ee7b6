/** A string literal with escaped line breaks. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

/** The range to highlight from a position on. */
export function around(text: string, at: number, length = 40): readonly [number, number] {
  return [at, Math.min(text.length, at + length)]
}

/** The position, moved to the start of the marker or word around it, where readers see two texts diverge. */
export function markStart(text: string, at: number): number {
  const open = text.lastIndexOf('<', at - 1)
  if (open >= 0 && /^<[^<>\s]*$/.test(text.slice(open, at)) && /^[^<>\s]*>/.test(text.slice(at))) return open
  const word = /[\p{L}\p{N}]+$/u.exec(text.slice(Math.max(0, at - 40), at))
  return word && /^[\p{L}\p{N}]/u.test(text.slice(at)) ? at - word[0].length : at
}
