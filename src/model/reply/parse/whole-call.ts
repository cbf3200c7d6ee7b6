import type { JsonBody } from '../syntax.ts'
import { isSpace } from './json-text.ts'
import { behindKey, endOfPlainJson } from './plain-json.ts'

/** A call whose JSON is all there, by where its parts stand in the text. */
export type WholeCall = { name: string; id: string | undefined; argumentsFrom: number; argumentsTo: number; end: number }

/**
 * Reads the first level of a JSON call that is all there: its name, its id, and where its arguments stand. Undefined for whatever is
 * not the plain case (a key twice, no arguments, a name with escapes): that is left to those who read bit by bit. `isCertain`: it is
 * a call whatever else it holds.
 */
export function readWholeCall(
  text: string,
  from: number,
  json: JsonBody,
  isCertain: boolean,
  isRefused: ((at: number) => boolean) | undefined,
): WholeCall | undefined {
  let name: string | undefined
  let id: string | undefined
  let argumentsFrom = -1
  let argumentsTo = -1
  let at = from + 1
  for (;;) {
    const valueFrom = behindKey(text, at)
    if (valueFrom < 0) return undefined
    const key = keyBefore(text, at)
    let start = valueFrom
    while (isSpace(text.charCodeAt(start))) start++
    const valueTo = endOfPlainJson(text, start, isRefused)
    if (valueTo < 0) return undefined
    if (key === json.name || key === json.id) {
      const value = plainText(text, start, valueTo)
      if (value === undefined || value === '' || (key === json.name ? name : id) !== undefined) return undefined
      if (key === json.name) name = value
      else id = value
    } else if (json.arguments.includes(key)) {
      if (argumentsFrom >= 0) return undefined
      argumentsFrom = start
      argumentsTo = valueTo
    } else if (!isCertain && key !== 'type') return undefined
    at = valueTo
    while (isSpace(text.charCodeAt(at))) at++
    const code = text.charCodeAt(at++)
    if (code === closeBrace) break
    if (code !== comma) return undefined
  }
  return name === undefined || argumentsFrom < 0 ? undefined : { name, id, argumentsFrom, argumentsTo, end: at }
}

/** The key that stands at a place, which is known to have no escapes. */
function keyBefore(text: string, from: number): string {
  const start = text.indexOf('"', from) + 1
  return text.slice(start, text.indexOf('"', start))
}

/** What a string without escapes says. */
function plainText(text: string, from: number, to: number): string | undefined {
  if (text.charCodeAt(from) !== quote) return undefined
  const value = text.slice(from + 1, to - 1)
  return value.includes('\\') ? undefined : value
}

const quote = 0x22
const comma = 0x2c
const closeBrace = 0x7d
