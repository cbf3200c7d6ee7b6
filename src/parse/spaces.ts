/** The white space of JSON. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

export function passSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

/** As `text.slice`, without the cost where that is all of it: most pieces of a stream are used whole. */
export function stretch(text: string, from: number, to: number): string {
  return from === 0 && to === text.length ? text : text.slice(from, to)
}
