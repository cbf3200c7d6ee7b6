/** How a model's JSON differs from JSON. */
export type JsonDialect = {
  /** Keys stand without quotes, directly behind `{` or `,` and before `:`. */
  unquotedKeys: boolean
  /** Marks around strings. */
  delimiters: readonly (readonly [open: string, close: string])[]
}

const bareKey = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]+(?=:)/uy

/**
 * JSON for a text in a dialect. Strings in quotes stay as they are, so that marks and keys inside them are text.
 *
 * @example
 * plainJson("{a:'x, b:1'}", { unquotedKeys: true, delimiters: [["'", "'"]] }) // => '{"a":"x, b:1"}'
 */
export function plainJson(text: string, { unquotedKeys, delimiters }: JsonDialect): string {
  if (!unquotedKeys && delimiters.length === 0) return text
  const parts: string[] = []
  let from = 0
  // A mark that is opened and never closed is searched for once.
  const unclosed = new Set<number>()
  for (let at = 0; at < text.length; ) {
    const index = delimiters.findIndex(([open], number) => !unclosed.has(number) && text.startsWith(open, at))
    if (index >= 0) {
      const [open, close] = delimiters[index]!
      const end = text.indexOf(close, at + open.length)
      if (end >= 0) {
        parts.push(text.slice(from, at), JSON.stringify(text.slice(at + open.length, end)))
        at = from = end + close.length
        continue
      }
      unclosed.add(index)
    }
    const character = text[at]!
    if (character === '"') {
      at = endOfString(text, at)
      continue
    }
    at++
    if (!unquotedKeys || (character !== '{' && character !== ',')) continue
    bareKey.lastIndex = at
    const key = bareKey.exec(text)?.[0]
    if (key === undefined) continue
    parts.push(text.slice(from, at), `"${key}"`)
    at = from = at + key.length
  }
  parts.push(text.slice(from))
  return parts.join('')
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}
