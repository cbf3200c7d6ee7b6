import { addEntry, isDict, type PyDict, type PyValue } from '../../base/python/index.ts'
import { isSpace } from '../parse/scanners.ts'
import { itemSchema, propertySchema, typedValue, typesOf } from './typed-value.ts'

/** Reads `{key:<|"|>text<|"|>,other:[1,2]}`: keys without quotes, texts enclosed in a mark, everything else by its type. */
export function readQuotedValue(text: string, quote: string, schema: PyValue | undefined): { object: PyDict } | { problem: string } {
  let at = 0
  const value = readValue(schema, 0)
  if (value === undefined || text.slice(at).trim() !== '') return { problem: `expected a value, found '${text.slice(at, at + 40)}'` }
  return isDict(value) ? { object: value } : { problem: 'expected the arguments' }

  function readValue(own: PyValue | undefined, depth: number): PyValue | undefined {
    skipSpace()
    if (depth > maxDepth) return undefined
    if (text.startsWith(quote, at)) {
      const written = readText()
      const types = typesOf(own)
      // Some templates write all values between the marks.
      return written === undefined || types === undefined || types.has('string') ? written : typedValue(written, own)
    }
    if (text[at] === '{') return readObject(own, depth)
    if (text[at] === '[') return readList(own, depth)
    const from = at
    for (let code = text.charCodeAt(at); at < text.length && !endsValue(code); code = text.charCodeAt(++at));
    const written = text.slice(from, at).trim()
    return written === '' ? undefined : typedValue(written, own)
  }

  function readObject(own: PyValue | undefined, depth: number): PyValue | undefined {
    let found: PyDict = {}
    at++
    for (;;) {
      skipSpace()
      if (text[at] === '}') break
      const key = text.startsWith(quote, at) ? readText() : readKey()
      skipSpace()
      if (key === undefined || text[at] !== ':') return undefined
      at++
      const value = readValue(propertySchema(own, key), depth + 1)
      if (value === undefined) return undefined
      found = addEntry(found, key, value)
      skipSpace()
      if (text[at] === ',') at++
      else if (text[at] !== '}') return undefined
    }
    at++
    return found
  }

  function readList(own: PyValue | undefined, depth: number): PyValue | undefined {
    const items: PyValue[] = []
    at++
    for (;;) {
      skipSpace()
      if (text[at] === ']') break
      const value = readValue(itemSchema(own), depth + 1)
      if (value === undefined) return undefined
      items.push(value)
      skipSpace()
      if (text[at] === ',') at++
      else if (text[at] !== ']') return undefined
    }
    at++
    return items
  }

  function readKey(): string | undefined {
    const end = text.indexOf(':', at)
    if (end < 0) return undefined
    const key = text.slice(at, end).trim()
    at = end
    return key.startsWith('"') ? key.replace(/^"(.*)"$/s, '$1') : key
  }

  function readText(): string | undefined {
    const from = at + quote.length
    const end = text.indexOf(quote, from)
    if (end < 0) return undefined
    at = end + quote.length
    return text.slice(from, end)
  }

  function skipSpace(): void {
    for (let code = text.charCodeAt(at); code <= 0x20 || code >= 0xa0; code = text.charCodeAt(++at))
      if (!isSpace(code) && !/\s/.test(text[at]!)) return
  }
}

function endsValue(code: number): boolean {
  return code === 0x2c || code === 0x5d || code === 0x7d
}

const maxDepth = 200
