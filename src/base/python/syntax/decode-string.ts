import { PythonError } from '../python-error.ts'

/** The value of a string literal's inside, with Python's escapes; unknown ones stay as they are. */
export function decodeString(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(escapes, (whole: string, body: string) => {
    const short = shortEscapes.get(body)
    if (short !== undefined) return short
    if (/^[0-7]/.test(body)) return String.fromCharCode(Number.parseInt(body, 8))
    if (/^[xuU]/.test(body)) {
      const digits = body.slice(1)
      const wanted = body[0] === 'x' ? 2 : body[0] === 'u' ? 4 : 8
      const code = Number.parseInt(digits, 16)
      if (digits.length !== wanted) throw new PythonError('TemplateSyntaxError', `truncated \\${body[0]} escape`)
      if (code > 0x10ffff) throw new PythonError('TemplateSyntaxError', 'illegal Unicode character')
      return String.fromCodePoint(code)
    }
    if (body.startsWith('N')) throw new PythonError('TemplateSyntaxError', '\\N{…} escapes are not supported')
    return whole
  })
}

const escapes = /\\(\n|[0-7]{1,3}|x[\da-fA-F]{0,2}|u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|[\s\S])/gu

const shortEscapes = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])
