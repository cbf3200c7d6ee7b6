/** f-strings inside the braces of one another. */
const maxDepth = 20

/**
 * Where a string literal ends: behind its closing quotes; undefined where it is never closed. `at` is the place of its quotes. The braces of
 * an f-string may hold strings with the same quotes, as in Python 3.12.
 */
export function stringEnd(text: string, at: number, prefix: string, depth = 0): number | undefined {
  const quote = text.startsWith(text[at]!.repeat(3), at) ? text[at]!.repeat(3) : text[at]!
  const from = at + quote.length
  if (!/f/i.test(prefix)) return plainEnd(text, from, quote)
  // What is not a f-string of Python 3.12 may still be a text with a brace too many, which is told later, with its place.
  return formattedEnd(text, from, quote, /r/i.test(prefix), depth) ?? plainEnd(text, from, quote)
}

function plainEnd(text: string, from: number, quote: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at + quote.length
    if (text[at] === '\\') at++
    else if (text[at] === '\n' && quote.length === 1) return undefined
  }
  return undefined
}

function formattedEnd(text: string, from: number, quote: string, isRaw: boolean, depth: number): number | undefined {
  if (depth > maxDepth) return undefined
  for (let at = from; at < text.length; ) {
    const character = text[at]!
    if (text.startsWith(quote, at)) return at + quote.length
    if (character === '\n' && quote.length === 1) return undefined
    if (character === '\\') {
      const name = isRaw ? null : /^\\N\{[^{}]*\}/.exec(text.slice(at, at + 100))
      at += name ? name[0].length : text[at + 1] === '{' || text[at + 1] === '}' ? 1 : 2
    } else if (character === '{' && text[at + 1] !== '{') {
      const end = fieldEnd(text, at + 1, depth)
      if (end === undefined) return undefined
      at = end
    } else at += (character === '{' || character === '}') && text[at + 1] === character ? 2 : 1
  }
  return undefined
}

/** Behind the `}` of a replacement field. */
function fieldEnd(text: string, from: number, depth: number): number | undefined {
  if (depth > maxDepth) return undefined
  const at = expressionEnd(text, from, depth)
  if (at === undefined || text[at] === '}') return at === undefined ? undefined : at + 1
  // A format: text, with fields of its own.
  for (let inner = at + 1; inner < text.length; ) {
    if (text[inner] === '}') return inner + 1
    const end = text[inner] === '{' ? fieldEnd(text, inner + 1, depth + 1) : inner + 1
    if (end === undefined) return undefined
    inner = end
  }
  return undefined
}

/** Where an expression in braces ends: at a `}` or `:` outside brackets and strings. */
export function expressionEnd(text: string, from: number, depth = 0): number | undefined {
  let open = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === "'" || character === '"') {
      const prefix = /[A-Za-z]{0,2}$/.exec(text.slice(Math.max(from, at - 2), at))![0]
      const end = stringEnd(text, at, prefix, depth + 1)
      if (end === undefined) return undefined
      at = end - 1
    } else if ('([{'.includes(character)) open++
    else if (open > 0 && ')]}'.includes(character)) open--
    else if (open === 0 && (character === '}' || character === ':')) return at
  }
  return undefined
}
