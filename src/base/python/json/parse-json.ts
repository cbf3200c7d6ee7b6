import { maxDepth, type PyValue } from '../data/value.ts'
import { readJson } from './read-json.ts'

/**
 * Reads JSON as Python's `json.loads` does, keeping what JavaScript loses: `1.0` stays a float, large integers stay exact,
 * keys such as "10" stay in place. Also as there, NaN and Infinity are accepted. Throws a `JsonSyntaxError`.
 * @example pyStr(parseJson('{"b": 1.0, "1": 9007199254740993}')) // => "{'b': 1.0, '1': 9007199254740993}"
 */
export function parseJson(text: string): PyValue {
  if (mayLoseSomething.test(text) || nestsTooDeep(text)) return readJson(text)
  try {
    return JSON.parse(text) as PyValue // nothing but null, booleans, numbers, strings, lists and plain objects
  } catch {
    return readJson(text) // for NaN and Infinity, which JavaScript rejects, and for an error that says where
  }
}

/**
 * Text that JSON.parse might read differently from Python. It also matches inside strings, which only costs time. No part
 * has an unbounded repeat, so that the search takes linear time on any text.
 */
const mayLoseSomething = new RegExp(
  [
    /\d[\d.]{15}/, // an int beyond 2^53, or a float with so many digits that it may round to an integral one
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

/** Exact on valid JSON; on other text the answer does not matter, as both ways refuse it. */
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

/** The position of the quote that closes a string, or -1. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return end
}

const quote = 0x22
const backslash = 0x5c
