import { syntaxError } from './import-error.ts'

/** `newline`, `indent` and `dedent` are Python's layout; there is none inside brackets. */
export type TokenKind = 'name' | 'number' | 'string' | 'operator' | 'newline' | 'indent' | 'dedent' | 'end'

export type PythonToken = {
  kind: TokenKind
  /** As it is written. */
  text: string
  line: number
  column: number
  /** The line it ends on; later than `line` for a string in triple quotes. */
  endLine: number
}

/** A comment: the text after `#`, and whether it is alone on its line. */
export type Comment = { text: string; alone: boolean }

export type Tokens = { file: string; tokens: readonly PythonToken[]; comments: ReadonlyMap<number, Comment> }

/** Names that are not values. */
export const reserved = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

export function startsExpression({ kind, text }: PythonToken): boolean {
  if (kind === 'string' || kind === 'number') return true
  if (kind === 'name') return !reserved.has(text) || ['lambda', 'not', 'yield', 'await'].includes(text)
  return kind === 'operator' && ['(', '[', '{', '-', '+', '~', '*', '...'].includes(text)
}

const nameStart = /[\p{ID_Start}_]/u

const namePattern = /[\p{ID_Start}_][\p{ID_Continue}]*/uy

const numberPattern =
  /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?|\d(?:_?\d)*\.?(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?/y

const operatorPattern = /\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|->|:=|[-+*/%@&|^=<>]=|\*\*|\/\/|<<|>>|[-+*/%@&|^~<>()[\]{},:.;=!]/y

const stringStart = /(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?(?:'''|"""|'|")/y

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Python's text as tokens, with its layout. A whole text that is indented, as when pasted from the middle of a page, counts as flush. */
export function tokenizePython(text: string, file: string): Tokens {
  // Python reads every line end as \n, inside strings as well.
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const tokens: PythonToken[] = []
  const comments = new Map<number, Comment>()
  const open: { text: string; line: number; column: number }[] = []
  const indents: number[] = []
  let at = 0
  let line = 1
  let lineStart = 0
  let startsLine = true

  const place = (offset = at) => ({ file, line, column: offset - lineStart + 1 })
  const push = (kind: TokenKind, written: string, from: number, fromLine = line, fromStart = lineStart) =>
    tokens.push({ kind, text: written, line: fromLine, column: from - fromStart + 1, endLine: line })
  const newLine = () => {
    line++
    lineStart = at
  }

  while (at < source.length) {
    if (startsLine && open.length === 0) {
      const width = indentation()
      if (width === undefined) continue
      if (indents.length === 0) indents.push(width)
      if (width > indents.at(-1)!) {
        indents.push(width)
        push('indent', '', at)
      }
      while (width < indents.at(-1)!) {
        if (indents.length === 1) {
          indents[0] = width
          break
        }
        indents.pop()
        push('dedent', '', at)
      }
      if (width !== indents.at(-1)!)
        throw syntaxError(place(), 'the indentation of this line matches no line above', 'indent it like the lines it belongs to')
      startsLine = false
    }
    const character = source[at]!
    if (character === '\n') {
      const from = at++
      if (open.length === 0) {
        const last = tokens.at(-1)
        if (last !== undefined && last.kind !== 'newline' && last.kind !== 'indent' && last.kind !== 'dedent') push('newline', '', from)
        startsLine = true
      }
      newLine()
    } else if (character === ' ' || character === '\t' || character === '\f' || character === '\u00a0' || character === '\u3000') at++
    else if (character === '#') comment()
    else if (character === '\\') {
      const rest = /^\\[ \t]*(?:\n|$)/.exec(source.slice(at, at + 200))
      if (rest === null) throw syntaxError(place(), 'a "\\" stands in the middle of a line', 'remove it')
      at += rest[0].length
      newLine()
    } else if (!string() && !number() && !name() && !operator())
      throw syntaxError(place(), `the character "${String.fromCodePoint(source.codePointAt(at)!)}" has no meaning in Python`, suggestion())
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined)
    throw syntaxError(
      { file, line: unclosed.line, column: unclosed.column },
      `the "${unclosed.text}" is never closed`,
      `add the "${closers[unclosed.text]}"`,
    )
  if (tokens.length > 0 && tokens.at(-1)!.kind !== 'newline') push('newline', '', at)
  for (let level = indents.length; level > 1; level--) push('dedent', '', at)
  push('end', '', at)
  return { file, tokens, comments }

  /** How far a line is indented; undefined for one that is empty or only a comment. */
  function indentation(): number | undefined {
    let width = 0
    for (; at < source.length; at++) {
      const character = source[at]!
      if (character === ' ' || character === '\u00a0') width++
      else if (character === '\t') width = (Math.floor(width / 8) + 1) * 8
      else if (character === '\f') width = 0
      else break
    }
    if (at >= source.length) return undefined
    if (source[at] === '#') comment()
    if (at >= source.length) return undefined
    if (source[at] === '\n') {
      at++
      newLine()
      return undefined
    }
    return width
  }

  function comment(): void {
    const next = source.indexOf('\n', at)
    const end = next < 0 ? source.length : next
    comments.set(line, { text: source.slice(at + 1, end).trim(), alone: source.slice(lineStart, at).trim() === '' })
    at = end
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }

  function string(): boolean {
    const start = match(stringStart)
    if (start === undefined) return false
    const prefix = /^[a-zA-Z]*/.exec(start)![0]
    const quote = start.slice(prefix.length)
    const [from, fromLine, fromStart] = [at, line, lineStart]
    const end = stringEnd(source, at + prefix.length, prefix)
    if (end === undefined)
      throw syntaxError(
        place(),
        'this string is never closed',
        quote.length === 1 ? `add the ${quote} before the line ends, or use three of them` : `add the ${quote}`,
      )
    for (let next = source.indexOf('\n', at); next >= 0 && next < end; next = source.indexOf('\n', at)) {
      at = next + 1
      newLine()
    }
    at = end
    push('string', source.slice(from, at), from, fromLine, fromStart)
    return true
  }

  function number(): boolean {
    if (!/[\d.]/.test(source[at]!) || (source[at] === '.' && !/\d/.test(source[at + 1] ?? ''))) return false
    const text = match(numberPattern)
    if (text === undefined || text === '') return false
    push('number', text, at)
    at += text.length
    return true
  }

  function name(): boolean {
    if (!nameStart.test(String.fromCodePoint(source.codePointAt(at)!))) return false
    const text = match(namePattern)!
    push('name', text.normalize('NFKC'), at)
    at += text.length
    return true
  }

  function operator(): boolean {
    const text = match(operatorPattern)
    if (text === undefined) return false
    if (text in closers) open.push({ text, line, column: at - lineStart + 1 })
    else if (text === ')' || text === ']' || text === '}') {
      const opener = open.pop()
      if (opener === undefined) throw syntaxError(place(), `there is a "${text}" too many`, 'remove it')
      if (closers[opener.text] !== text)
        throw syntaxError(
          place(),
          `"${text}" closes the "${opener.text}" of line ${opener.line}`,
          `write "${closers[opener.text]}", or look for a missing bracket between the two`,
        )
    }
    push('operator', text, at)
    at += text.length
    return true
  }

  function suggestion(): string {
    const plain: Readonly<Record<string, string>> = { '，': ',', '：': ':', '（': '(', '）': ')', '‘': "'", '’': "'", '“': '"', '”': '"' }
    const ascii = plain[source[at]!]
    return ascii === undefined ? 'remove it, or write it inside a string' : `write ${ascii}`
  }
}

/** f-strings inside the braces of one another. */
const maxDepth = 20

/**
 * The end of a string literal, after its closing quotes; undefined if it is never closed. `at` is the offset of its quotes. The braces of
 * an f-string may hold strings with the same quotes, as in Python 3.12.
 */
export function stringEnd(text: string, at: number, prefix: string, depth = 0): number | undefined {
  const quote = text.startsWith(text[at]!.repeat(3), at) ? text[at]!.repeat(3) : text[at]!
  const from = at + quote.length
  if (!/f/i.test(prefix)) return plainEnd(text, from, quote)
  // If it is not an f-string of Python 3.12, it may still be a text with an unmatched brace, which is reported later with its place.
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
  // A format spec: text with nested fields.
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
