import { syntaxError } from './import-error.ts'
import { stringEnd } from './parse-string.ts'

/** A place in a file: lines from 1, columns from 1, as editors show them. */
export type Place = { file: string; line: number; column: number }

/** `newline`, `indent` and `dedent` are Python's layout; there is none inside brackets. */
export type TokenKind = 'name' | 'number' | 'string' | 'operator' | 'newline' | 'indent' | 'dedent' | 'end'

export type Token = {
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

export type Tokens = { file: string; tokens: readonly Token[]; comments: ReadonlyMap<number, Comment> }

/** Names that are not values. */
export const reserved = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

export function startsExpression({ kind, text }: Token): boolean {
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
export function tokenize(text: string, file: string): Tokens {
  // Python reads every line end as \n, inside strings as well.
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const tokens: Token[] = []
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
        throw syntaxError(place(), 'this line is indented like no line above it', 'indent it like the lines it belongs to')
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
