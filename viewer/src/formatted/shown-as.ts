/** What a text is best shown as. */
export type ShownAs = 'json' | 'markdown' | 'plain'

/** Longer texts are shown as they are: the page stays quick. */
const longest = 100_000

const markdownSigns = [
  /^ {0,3}#{1,6} \S/m,
  /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S.*\n+ {0,3}(?:[-*+]|\d{1,3}[.)]) \S/m,
  /^ {0,3}(?:```|~~~)/m,
  /\*\*\S(?:[^*\n]*\S)?\*\*/,
  /`[^`\n]+`/,
  /^\s*\|?.*\|.*\n\s*\|?\s*:?-+:?\s*\|/m,
  /\$[^$\n]*[\\^_{}=+][^$\n]*\$|\\\(|\\\[|\$\$/,
]

/** JSON where it is an object or a list and nothing else; Markdown where it has marks of it, or formulas. */
export function shownAs(text: string): ShownAs {
  if (text.length > longest) return 'plain'
  if (/^\s*[{[]/.test(text) && isJson(text)) return 'json'
  return markdownSigns.some((sign) => sign.test(text)) ? 'markdown' : 'plain'
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
