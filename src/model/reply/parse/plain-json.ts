import { isSpace } from './json-text.ts'

/**
 * Where the JSON value that starts at `from` ends, if all of it is there and `JSON.parse` reads it without loss: no integer too
 * large for it, no float such as 1.0, no key that it would move. -1 if not: then somebody else looks closely. It reads nothing but
 * the grammar, which takes half the time that values take. `isRefused` is asked about opening brackets, which may be marks.
 */
export function endOfPlainJson(text: string, from: number, isRefused?: (at: number) => boolean): number {
  depth = 0
  let at = from
  do at = passValues(text, at, isRefused)
  while (depth > 0 && at >= 0)
  return at
}

/**
 * Passes some values and what stands between them: a function that is called often is compiled better than one that loops for long.
 * It stops before a value, or behind the whole.
 */
function passValues(text: string, from: number, isRefused: ((at: number) => boolean) | undefined): number {
  let at = from
  for (let left = 200; left > 0; left--) {
    let code = text.charCodeAt(at)
    while (code <= space && isSpace(code)) code = text.charCodeAt(++at)
    if (code === quote) at = endOfPlainString(text, at + 1)
    else if (code === minus || (code >= zero && code <= nine)) at = endOfPlainNumber(text, at)
    else if (code === openBrace || code === openBracket) {
      if (depth === maxDepth || isRefused?.(at)) return -1
      const close = code === openBrace ? closeBrace : closeBracket
      closings[++depth] = close
      code = text.charCodeAt(++at)
      while (code <= space && isSpace(code)) code = text.charCodeAt(++at)
      if (code !== close) {
        if (close === closeBrace) at = behindKey(text, at)
        if (at < 0) return -1
        continue
      }
      depth--
      at++
    } else at = endOfWord(text, at, code)
    if (at < 0) return -1
    // Behind a value.
    for (;;) {
      if (depth === 0) return at
      code = text.charCodeAt(at)
      while (code <= space && isSpace(code)) code = text.charCodeAt(++at)
      at++
      const close = closings[depth]!
      if (code === comma) {
        if (close === closeBrace) at = behindKey(text, at)
        if (at < 0) return -1
        break
      }
      if (code !== close) return -1
      depth--
    }
  }
  return at
}

/** Behind a key and its colon; -1 where there is none, or where JavaScript would give it another place: `1`, `__proto__`. */
export function behindKey(text: string, from: number): number {
  let at = from
  let code = text.charCodeAt(at)
  while (code <= space && isSpace(code)) code = text.charCodeAt(++at)
  if (code !== quote) return -1
  code = text.charCodeAt(++at)
  if ((code >= zero && code <= nine) || code === underscore) return -1
  while (code !== quote) {
    // An escape may hide such a key.
    if (!(code >= space) || code === backslash) return -1
    code = text.charCodeAt(++at)
  }
  code = text.charCodeAt(++at)
  while (code <= space && isSpace(code)) code = text.charCodeAt(++at)
  return code === colon ? at + 1 : -1
}

/** Behind the quote that closes a string that has begun; -1 if it is not JSON, or not all there. */
function endOfPlainString(text: string, from: number): number {
  let at = from
  for (let near = from + 16; ; ) {
    if (at > near) {
      // Most strings are short, for which a loop is faster than a pattern.
      special.lastIndex = at
      if (!special.test(text)) return -1
      at = special.lastIndex - 1
      near = at + 16
    }
    const code = text.charCodeAt(at++)
    if (code === quote) return at
    if (code === backslash) {
      const escaped = text.charCodeAt(at++)
      if (escaped === letterU) {
        for (const end = at + 4; at < end; at++) if (!isHex(text.charCodeAt(at))) return -1
      } else if (!(escapes[escaped] === 1)) return -1
    } else if (!(code >= space)) return -1
  }
}

/** Behind a number that is the same in JavaScript: not 1.0, 1e5, -0 or one of fifteen digits and more. */
function endOfPlainNumber(text: string, from: number): number {
  let at = from
  if (text.charCodeAt(at) === minus) at++
  const first = text.charCodeAt(at)
  if (!(first >= zero && first <= nine) || (first === zero && at > from)) return -1
  let code = text.charCodeAt(++at)
  if (first !== zero) while (code >= zero && code <= nine) code = text.charCodeAt(++at)
  if (code === point) {
    let last = -1
    for (code = text.charCodeAt(++at); code >= zero && code <= nine; code = text.charCodeAt(++at)) last = code
    if (last <= zero) return -1
  }
  // At the end of the text more digits may follow.
  if (at - from > 14 || at >= text.length || code === 0x65 || code === 0x45 || (code >= zero && code <= nine)) return -1
  return at
}

function endOfWord(text: string, at: number, code: number): number {
  const word = code === 0x74 ? 'true' : code === 0x66 ? 'false' : code === 0x6e ? 'null' : undefined
  return word !== undefined && text.startsWith(word, at) ? at + word.length : -1
}

function isHex(code: number): boolean {
  return (code >= zero && code <= nine) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
}

/** What must be looked at in a string. */
const special = /["\\\u0000-\u001f]/g

/** Far below the depth that readers refuse. */
const maxDepth = 100
/** How many brackets are open, and what closes each. */
let depth = 0
const closings = new Uint8Array(maxDepth + 1)

const escapes = new Uint8Array(128)
for (const character of '"\\/bfnrt') escapes[character.charCodeAt(0)] = 1

const space = 0x20
const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const underscore = 0x5f
const letterU = 0x75
const openBrace = 0x7b
const closeBrace = 0x7d
