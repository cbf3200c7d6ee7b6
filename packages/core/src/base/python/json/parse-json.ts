import { maxDepth, needsMap, type PyDict, type PyValue, pyFloat, tooDeep } from '../values/data.ts'
import { maxIntDigits } from '../values/numbers.ts'
import { endOfString, isSameInJavaScript } from './same-in-javascript.ts'

/**
 * Reads JSON as Python's `json.loads` does, keeping what JavaScript loses: `1.0` stays a float, large integers stay exact,
 * keys such as "10" stay in place. Also as there, NaN and Infinity are accepted. Throws a `JsonSyntaxError`.
 * @example pyStr(parseJson('{"b": 1.0, "1": 9007199254740993}')) // => "{'b': 1.0, '1': 9007199254740993}"
 */
export function parseJson(text: string): PyValue {
  if (!isSameInJavaScript(text)) return readJson(text)
  try {
    return JSON.parse(text) as PyValue // nothing but null, booleans, numbers, strings, lists and plain objects
  } catch {
    return readJson(text) // for NaN and Infinity, which JavaScript rejects, and for an error that says where
  }
}

const quote = 0x22

const backslash = 0x5c

/** JavaScript reads longer strings faster, as Python does. */
const longString = 256

/** The exact reader behind `parseJson`: as `json.loads`, character by character. */
export function readJson(text: string): PyValue {
  let at = 0

  if (text.startsWith('\ufeff')) fail('expected JSON, found a byte order mark (BOM); remove it, or decode the file as UTF-8 with BOM')
  skipSpace()
  const value = readValue(0)
  skipSpace()
  if (at < text.length) fail(`expected the end of the text after the value, found ${found()}`)
  return value

  function readValue(depth: number): PyValue {
    switch (text[at]) {
      case '"':
        return readString()
      case '{':
        return readDict(depth + 1)
      case '[':
        return readList(depth + 1)
      case 't':
        return readWord('true', true)
      case 'f':
        return readWord('false', false)
      case 'n':
        return readWord('null', null)
      case 'N':
        return readWord('NaN', Number.NaN)
      case 'I':
        return readWord('Infinity', Number.POSITIVE_INFINITY)
      case '-':
        return text[at + 1] === 'I' ? readWord('-Infinity', Number.NEGATIVE_INFINITY) : readNumber()
      default:
        return isDigit(at) ? readNumber() : fail(`expected a value, found ${found()}${hint()}`)
    }
  }

  function readWord<T extends PyValue>(word: string, meaning: T): T {
    if (!text.startsWith(word, at)) fail(`expected a value, found ${found()}${hint()}`)
    at += word.length
    return meaning
  }

  function readNumber(): PyValue {
    const start = at
    if (text[at] === '-') at++
    const digitsStart = at
    skipDigits("after '-'")
    const digits = at - digitsStart
    if (digits > 1 && text[digitsStart] === '0') fail('expected a number without leading zeros', start)
    let isFloat = false
    if (text[at] === '.') {
      at++
      skipDigits('after the decimal point')
      isFloat = true
    }
    if (text[at] === 'e' || text[at] === 'E') {
      at++
      if (text[at] === '+' || text[at] === '-') at++
      skipDigits('in the exponent')
      isFloat = true
    }
    const source = text.slice(start, at)
    if (isFloat) return pyFloat(Number(source))
    if (digits > maxIntDigits) fail(`expected an integer of at most ${maxIntDigits} digits (Python's limit), found ${digits}`, start)
    const int = Number(source)
    if (int === 0) return 0 // Python's int has no -0
    return Number.isSafeInteger(int) ? int : BigInt(source)
  }

  function skipDigits(where: string): void {
    if (!isDigit(at)) fail(`expected a digit ${where}, found ${found()}`)
    while (isDigit(at)) at++
  }

  function isDigit(position: number): boolean {
    const code = text.charCodeAt(position)
    return code >= 0x30 && code <= 0x39
  }

  function readString(): string {
    const start = at
    at++
    let result = ''
    let pieceStart = at
    let isLong = false
    for (;;) {
      if (!isLong && at - start > longString) {
        isLong = true
        const whole = readWhole(start)
        if (whole !== undefined) return whole
      }
      const code = text.charCodeAt(at)
      if (code === quote) {
        const piece = text.slice(pieceStart, at)
        at++
        return result + piece
      }
      if (code === backslash) {
        result += text.slice(pieceStart, at) + readEscape()
        pieceStart = at
      } else if (code < 0x20) {
        fail(`expected an escape such as \\n in a string, found the control character ${found()}`)
      } else if (at >= text.length) {
        fail('expected a closing " for the string that starts here, found the end of the text', start)
      } else {
        at++
      }
    }
  }

  /** A long string as JavaScript reads it; undefined if it is not valid. */
  function readWhole(start: number): string | undefined {
    const end = endOfString(text, start)
    try {
      const string = JSON.parse(text.slice(start, end + 1)) as string
      at = end + 1
      return string
    } catch {
      return undefined
    }
  }

  function readEscape(): string {
    const letter = text[at + 1]
    if (letter === 'u') {
      const hex = text.slice(at + 2, at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) fail('expected four hex digits after \\u')
      at += 6
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    const meaning = letter === undefined ? undefined : escapes.get(letter)
    if (meaning === undefined) fail('expected one of " \\ / b f n r t u after a backslash')
    at += 2
    return meaning
  }

  function readList(depth: number): PyValue[] {
    if (depth > maxDepth) fail(`expected a flatter value, found one ${tooDeep}`)
    at++
    skipSpace()
    const list: PyValue[] = []
    if (text[at] === ']') {
      at++
      return list
    }
    for (;;) {
      list.push(readValue(depth))
      if (isLast(']')) return list
      if (text[at] === ']') fail("expected a value after ',', found ']' (a trailing comma is not allowed)")
    }
  }

  function readDict(depth: number): PyDict {
    if (depth > maxDepth) fail(`expected a flatter value, found one ${tooDeep}`)
    at++
    skipSpace()
    const object: Record<string, PyValue> = {}
    let map: Map<string, PyValue> | undefined
    if (text[at] === '}') {
      at++
      return object
    }
    for (;;) {
      if (text[at] !== '"') fail(`expected a key in double quotes, found ${found()}${hint()}`)
      const key = readString()
      skipSpace()
      if (text[at] !== ':') fail(`expected ':' after the key, found ${found()}`)
      at++
      skipSpace()
      const value = readValue(depth)
      if (map === undefined && needsMap(key)) map = new Map(Object.entries(object))
      if (map === undefined) object[key] = value
      else map.set(key, value)
      if (isLast('}')) return map ?? object
      if (text[at] === '}') fail("expected a key after ',', found '}' (a trailing comma is not allowed)")
    }
  }

  /** Reads what follows an item: the closing bracket, or a comma and the space up to the next item. */
  function isLast(close: ']' | '}'): boolean {
    skipSpace()
    const next = text[at]
    if (next !== close && next !== ',') fail(`expected ',' or '${close}', found ${found()}${hint()}`)
    at++
    if (next === ',') skipSpace()
    return next === close
  }

  function skipSpace(): void {
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      at++
    }
  }

  function found(): string {
    const code = text.codePointAt(at)
    if (code === undefined) return 'the end of the text'
    if (code < 0x20 || code === 0x7f) return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    const word = /^[A-Za-z]+/.exec(text.slice(at, at + 20))?.[0]
    return `'${word ?? String.fromCodePoint(code)}'`
  }

  function hint(): string {
    if (text[at] === "'") return ' (strings take double quotes)'
    if (text[at] === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) return ' (comments are not allowed)'
    const spelling = [...pythonSpellings].find(([word]) => text.startsWith(word, at))
    return spelling === undefined ? '' : ` (JSON spells it ${spelling[1]})`
  }

  function fail(problem: string, offset = at): never {
    throw new JsonSyntaxError(problem, text, offset)
  }
}

const escapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const pythonSpellings = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/** Text that is not JSON: what was expected, and where. Lines and columns count from 1, the offset from 0, in UTF-16 units. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = 'JsonSyntaxError'
  readonly line: number
  readonly column: number
  readonly offset: number

  constructor(problem: string, text: string, offset: number) {
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    super(`line ${line}, column ${column}: ${problem}`)
    this.line = line
    this.column = column
    this.offset = offset
  }
}
