/** A part of a set of characters: a range of code points, or a category as the inside of a JavaScript class. */
export type ClassItem = { from: number; to: number } | { category: string; negated: boolean }

/** Python's white space: `\s` and `str.strip()`; JavaScript's differs at U+001C–001F, U+0085 and U+FEFF. */
const unicodeSpace = '\\t-\\r\\u001c- \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

export function spaceClass(ascii = false, negated = false): ClassItem {
  return { category: ascii ? '\\t-\\r ' : unicodeSpace, negated }
}

export function digitClass(ascii = false, negated = false): ClassItem {
  return { category: ascii ? '0-9' : '\\p{Nd}', negated }
}

/** `str.isalnum()` or the underscore; combining marks are not part of a word for Python. */
export function wordClass(ascii = false, negated = false): ClassItem {
  return { category: ascii ? 'a-zA-Z0-9_' : '\\p{L}\\p{N}_', negated }
}

/** The class of a RegExp with the flag v. */
export function classOf(items: readonly ClassItem[], negated: boolean, ignoreCase = false): string {
  const parts = items.map((item) => {
    if ('from' in item) return rangeOf(item, ignoreCase)
    return item.negated ? `[^${item.category}]` : item.category
  })
  return `[${negated ? '^' : ''}${parts.join('')}]`
}

function rangeOf({ from, to }: { from: number; to: number }, ignoreCase: boolean): string {
  const range = from === to ? code(from) : `${code(from)}-${code(to)}`
  // Without case Python also takes the dotted capital and the dotless small i for an i; case folding does not.
  const has = (character: string) => from <= character.codePointAt(0)! && character.codePointAt(0)! <= to
  return ignoreCase && (has('i') || has('I') || has('İ') || has('ı')) ? `${range}iİı` : range
}

function code(point: number): string {
  return `\\u{${point.toString(16)}}`
}
