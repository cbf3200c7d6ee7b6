import { maxDepth } from '../values/data.ts'

/** Whether JSON.parse reads a JSON text as Python does. On text that is not JSON the answer does not matter, as both refuse it. */
export function isSameInJavaScript(text: string): boolean {
  const short = withoutLongStrings(text)
  return !mayLoseSomething.test(short) && !nestsTooDeep(short)
}

/**
 * Text that JSON.parse might read differently from Python. It also matches inside strings, which only costs time. No part
 * has an unbounded repeat, so that the search takes linear time on any text.
 */
const mayLoseSomething = new RegExp(
  [
    /\d[\d.]{15}/, // an int beyond 2^53, or a float with enough digits to round to an integral one
    /\d\.0{1,14}(?!\d)/, // an integral float (more zeros are a case of the line above)
    /\d[eE][-+\d]/, // an exponent
    /-0(?![.\d])/, // JavaScript's -0 is Python's 0
    /"\d{1,10}"[\s:]/, // a key that a plain object moves to the front
    /__proto__/,
    /\\u00[3-7]/, // ASCII written as an escape, which may be one of these keys
  ]
    .map((part) => part.source)
    .join('|'),
)

/** Longer than any of these keys, with each character as an escape. */
const longString = 64

/** Without what long strings contain: it makes no difference, and searching it takes most of the time. */
function withoutLongStrings(text: string): string {
  if (text.length <= longString) return text
  const parts: string[] = []
  let from = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start)
    if (end < 0) break
    if (end - start > longString) {
      parts.push(text.slice(from, start + 1))
      from = end
    }
    start = text.indexOf('"', end + 1)
  }
  return from === 0 ? text : `${parts.join('')}${text.slice(from)}`
}

function nestsTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false // each level takes two brackets
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at < 0) return false
    } else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

const [quote, backslash] = [0x22, 0x5c]

/** As many characters without an escape are followed by more: searching is then faster than looking at each. */
const plainRun = 32

/** The position of the quote that closes the string that starts here, or -1. */
export function endOfString(text: string, start: number): number {
  let plain = 0
  for (let at = start + 1; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) {
      at += 2
      plain = 0
    } else if (++plain < plainRun) {
      at++
    } else {
      const end = text.indexOf('"', at)
      if (end < 0) return -1
      let backslashes = 0
      while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++
      if (backslashes % 2 === 0) return end
      at = end + 1
      plain = 0
    }
  }
  return -1
}
