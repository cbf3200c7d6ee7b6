/** Removes a prefix; undefined if the text does not start with it. */
export function cutStart(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined
}

/** Removes a suffix; undefined if the text does not end with it. */
export function cutEnd(text: string, end: string): string | undefined {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : undefined
}

/** The common suffix of two texts. */
export function commonEnd(one: string, other: string): string {
  let length = 0
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length)) length++
  return length === 0 ? '' : one.slice(-length)
}
