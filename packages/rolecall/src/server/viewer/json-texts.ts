import { type PyValue, pyStr } from '@rolecall/core/internal/python'

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [34, 92, 123, 125, 91, 93, 44, 58]

/** The values of a JSON object as texts, without parsing values that are not wanted. Undefined if the line is not an object. */
export function jsonTexts(line: string, wants: (name: string) => boolean = () => true): string[] | undefined {
  const texts: string[] = []
  let at = skipSpace(line, 0)
  if (line.charCodeAt(at) !== openBrace) return undefined
  at = skipSpace(line, at + 1)
  if (line.charCodeAt(at) === closeBrace) return texts
  for (;;) {
    if (line.charCodeAt(at) !== quote) return undefined
    const nameEnd = stringEnd(line, at)
    if (nameEnd < 0) return undefined
    const name = line.slice(at + 1, nameEnd)
    at = skipSpace(line, nameEnd + 1)
    if (line.charCodeAt(at) !== colon) return undefined
    at = skipSpace(line, at + 1)
    const end = valueEnd(line, at)
    if (end < 0) return undefined
    if (wants(name)) texts.push(textAt(line, at, end))
    at = skipSpace(line, end)
    const next = line.charCodeAt(at)
    if (next === closeBrace) return texts
    if (next !== comma) return undefined
    at = skipSpace(line, at + 1)
  }
}

function skipSpace(line: string, from: number): number {
  let at = from
  while (line.charCodeAt(at) <= 32) at++
  return at
}

/** The closing quote of the string that starts at an offset, or -1. */
function stringEnd(line: string, from: number): number {
  for (let at = line.indexOf('"', from + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    let before = at - 1
    while (line.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at
  }
  return -1
}

/** The end of the value that starts at an offset, or -1. */
function valueEnd(line: string, from: number): number {
  const first = line.charCodeAt(from)
  if (first === quote) return stringEnd(line, from) + 1 || -1
  let depth = 0
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(line, at)
      if (at < 0) return -1
    } else if (code === openBrace || code === openBracket) depth++
    else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (code === comma && depth === 0) return at
  }
  return -1
}

const words: ReadonlyMap<string, string> = new Map([
  ['null', ''],
  ['true', 'True'],
  ['false', 'False'],
])

/** A value as Python's `str` gives it; null is empty. Invalid JSON stays searchable as it is. */
function textAt(line: string, from: number, end: number): string {
  const first = line.charCodeAt(from)
  const inside = line.slice(from + 1, end - 1)
  if (first === quote && !inside.includes('\\')) return inside
  const raw = line.slice(from, end).trimEnd()
  if (first !== quote && first !== openBrace && first !== openBracket) return words.get(raw) ?? raw
  try {
    return pyStr(JSON.parse(raw) as PyValue)
  } catch {
    return raw
  }
}
