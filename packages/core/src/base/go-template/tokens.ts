import { PromptError } from '../errors/prompt-error.ts'

/** A word inside an action. */
export type GoToken =
  | { kind: 'text'; value: string }
  | { kind: 'number'; value: number }
  /** `isOf`: it follows a parenthesis, and is a field of the value in it. */
  | { kind: 'field'; names: readonly string[]; isOf: boolean }
  | { kind: 'variable'; name: string; names: readonly string[] }
  | { kind: 'word'; value: string }
  | { kind: 'sign'; value: '(' | ')' | '|' | ':=' | '=' | ',' }

/** A template in parts: literal text, and actions. */
export type GoTemplatePart = { text: string } | { action: readonly GoToken[]; line: number }

const space = /[ \t\r\n]/

function withoutSpaceAfter(text: string): string {
  let end = text.length
  while (end > 0 && space.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Splits a template of Go at its delimiters; `{{-` and `-}}` remove adjacent white space. Comments are omitted. */
export function splitTemplate(source: string, where: string): GoTemplatePart[] {
  const parts: GoTemplatePart[] = []
  let at = 0
  let trims = false
  let line = 1
  for (;;) {
    const open = source.indexOf('{{', at)
    let text = source.slice(at, open < 0 ? undefined : open)
    line += newlinesIn(text)
    if (trims) text = text.replace(/^[ \t\r\n]+/, '')
    if (open < 0) {
      if (text !== '') parts.push({ text })
      return parts
    }
    const trimsBefore = source[open + 2] === '-' && space.test(source[open + 3] ?? '')
    if (trimsBefore) text = withoutSpaceAfter(text)
    if (text !== '') parts.push({ text })
    const start = open + (trimsBefore ? 3 : 2)
    const comment = /^\s*\/\*/.exec(source.slice(start))
    const close = comment ? source.indexOf('*/', start + comment[0].length) + 2 : endOfAction(source, start, where, line)
    const end = source.indexOf('}}', close)
    if (end < 0 || (comment && close < 2)) throw mistake(where, line, 'an action is not closed')
    trims = source[end - 1] === '-' && space.test(source[end - 2] ?? '')
    if (!comment) parts.push({ action: tokensOf(source.slice(start, trims ? end - 1 : end), where, line), line })
    at = end + 2
    line += newlinesIn(source.slice(open, at))
  }
}

function newlinesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The offset from which to search for an action's `}}`: after its quoted texts. */
function endOfAction(source: string, start: number, where: string, line: number): number {
  let at = start
  while (at < source.length && !source.startsWith('}}', at)) {
    const quote = source[at]
    if (quote !== '"' && quote !== '`') {
      at++
      continue
    }
    at++
    while (at < source.length && source[at] !== quote) at += quote === '"' && source[at] === '\\' ? 2 : 1
    if (at >= source.length) throw mistake(where, line, 'a quoted text is not closed')
    at++
  }
  return at
}

const word =
  /^(?:(?<space>\s+)|(?<text>"[^"\\]*(?:\\.[^"\\]*)*")|(?<raw>`[^`]*`)|(?<number>-?\d+(?:\.\d+)?)|(?<variable>\$\w*(?:\.\w+)*)|(?<field>\.(?:\w+(?:\.\w+)*)?)|(?<sign>:=|[()|=,])|(?<word>[A-Za-z_]\w*))/

function tokensOf(code: string, where: string, line: number): GoToken[] {
  const tokens: GoToken[] = []
  let rest = code
  while (rest !== '') {
    const found = word.exec(rest)
    if (found === null) throw mistake(where, line, `${JSON.stringify(rest.slice(0, 20))} is no code of a Go template`)
    const groups = found.groups!
    const isBehind = code[code.length - rest.length - 1] === ')'
    if (groups.text !== undefined) tokens.push({ kind: 'text', value: unquote(groups.text, where, line) })
    else if (groups.raw !== undefined) tokens.push({ kind: 'text', value: groups.raw.slice(1, -1) })
    else if (groups.number !== undefined) tokens.push({ kind: 'number', value: Number(groups.number) })
    else if (groups.variable !== undefined) {
      const [name, ...names] = groups.variable.slice(1).split('.')
      tokens.push({ kind: 'variable', name: name!, names })
    } else if (groups.field !== undefined)
      tokens.push({ kind: 'field', names: groups.field.slice(1).split('.').filter(Boolean), isOf: isBehind })
    else if (groups.sign !== undefined) tokens.push({ kind: 'sign', value: groups.sign as '(' })
    else if (groups.word !== undefined) tokens.push({ kind: 'word', value: groups.word })
    rest = rest.slice(found[0].length)
  }
  return tokens
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** A quoted Go string, whose escapes are those of C, with \u and \U. */
function unquote(quoted: string, where: string, line: number): string {
  const character = (code: number) => {
    if (code > 0x10ffff) throw mistake(where, line, 'an escape is no character')
    return String.fromCodePoint(code)
  }
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))/gs, (_, four, eight, two, one: string) =>
      one === undefined ? character(Number.parseInt(four ?? eight ?? two, 16)) : (escapes[one] ?? one),
    )
}

/** A text as a quoted Go string. */
export function quoteGo(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f\u0080-\u009f\u2028\u2029\ufeff\ud800-\udfff]/g, (one) => {
    const code = one.charCodeAt(0)
    return code >= 0xd800 && code <= 0xdfff ? one : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

export function mistake(where: string, line: number, problem: string): PromptError {
  return new PromptError('bad-template', { where: `${where}, line ${line}`, problem, fix: 'correct the template there' })
}
