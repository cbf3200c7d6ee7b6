/** Whether Python's `str.isspace` holds for a UTF-16 unit; all of Python's white space is in the BMP. */
export function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x1f)
  if (code < 0x1680) return code === 0x85 || code === 0xa0
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** The offset of the first unit from `at` that is not white space. */
export function skipSpace(text: string, at: number): number {
  let end = at
  while (end < text.length && isSpace(text.charCodeAt(end))) end++
  return end
}

/** The offset behind the last unit that is not white space. */
export function trimmedEnd(text: string): number {
  let end = text.length
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return end
}
