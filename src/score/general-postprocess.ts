/** Python's white space: `\s` and `str.strip()`; JavaScript's differs at U+001C–001F, U+0085 and U+FEFF. */
const space = '\\t-\\r\\u001c- \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const word = '\\p{L}\\p{N}_'
const notWordOrSpace = new RegExp(`[^${word}${space}]`, 'gu')
const article = new RegExp(`(?<![${word}])(?:a|an|the)(?![${word}])`, 'giu')
const spaces = new RegExp(`[${space}]+`, 'gu')

/**
 * OpenCompass's `general` postprocessor: up to the first newline, period or comma, without punctuation and articles.
 *
 * @example
 * generalPostprocess('The cat, of course.') // => 'cat'
 */
export function generalPostprocess(text: string): string {
  const [first = ''] = text.split(/[\n.,]/, 1)
  return first.replace(notWordOrSpace, '').replace(article, '').replace(spaces, ' ').replace(/^ | $/g, '')
}
