/** How to display a text. */
export type ShownAs = 'json' | 'markdown' | 'plain'

/** Longer texts are shown plain, to keep the page responsive. */
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

/** JSON if it is a single object or list; Markdown if it has markup or formulas. */
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
