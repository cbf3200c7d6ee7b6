/** What follows a start; undefined where the text starts with something else. */
export function cutStart(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined
}

/** What stands before an end; undefined where the text ends with something else. */
export function cutEnd(text: string, end: string): string | undefined {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : undefined
}

/** What both texts end with. */
export function commonEnd(one: string, other: string): string {
  let length = 0
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length)) length++
  return length === 0 ? '' : one.slice(-length)
}
