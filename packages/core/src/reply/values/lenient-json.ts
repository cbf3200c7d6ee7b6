import { dictFromEntries, JsonSyntaxError, type PyValue, parseJson } from '../../base/python/index.ts'

/**
 * Reads JSON as people write it in documents: trailing commas, single quotes, keys without quotes, `=` for `:`, Python's True,
 * False and None, comments. Only for text written by hand, such as the examples of document 004: replies are read strictly, since a
 * guessed call is a call that the model did not make.
 *
 * @example parseLenientJson(`[{"path": "data.csv", size='10K'}]`) // => [{ path: 'data.csv', size: '10K' }]
 */
export function parseLenientJson(text: string): PyValue {
  let at = 0
  const value = readValue(0)
  skipSpace()
  if (at < text.length) fail(`expected the end of the text, found '${text[at]}'`)
  return value

  function readValue(depth: number): PyValue {
    if (depth > maxDepth) fail('expected a flatter value')
    skipSpace()
    const first = text[at]
    if (first === '{') return dictFromEntries(readItems('}', () => readEntry(depth)))
    if (first === '[') return readItems(']', () => readValue(depth + 1))
    if (first === '"' || first === "'") return readString(first)
    return readWord()
  }

  function readItems<Item>(close: string, readItem: () => Item): Item[] {
    const items: Item[] = []
    at++
    for (;;) {
      skipSpace()
      if (text[at] === close) break
      if (at >= text.length) fail(`expected '${close}', found the end of the text`)
      items.push(readItem())
      skipSpace()
      if (text[at] === ',') at++
      else if (text[at] !== close) fail(`expected ',' or '${close}'`)
    }
    at++
    return items
  }

  function readEntry(depth: number): [string, PyValue] {
    const first = text[at]
    const key = first === '"' || first === "'" ? readString(first) : readName()
    skipSpace()
    if (text[at] !== ':' && text[at] !== '=') fail(`expected ':' after the key ${key}`)
    at++
    return [key, readValue(depth + 1)]
  }

  function readName(): string {
    const [name] = match(/[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*/uy) ?? fail('expected a key')
    return name
  }

  function readString(quote: string): string {
    const [written] = match(quote === '"' ? /"(?:[^"\\]|\\.)*"/suy : /'(?:[^'\\]|\\.)*'/suy) ?? fail(`expected a closing ${quote}`)
    const strict = written
      .slice(1, -1)
      .replace(/\\(.)|["\u0000-\u001f]/gsu, (found: string, escaped?: string) => (escaped === "'" ? "'" : (controls[found] ?? found)))
    return parseJson(`"${strict}"`) as string
  }

  function readWord(): PyValue {
    const start = at
    const [word] = match(/[-+\p{L}\p{N}_.]+/uy) ?? fail('expected a value')
    if (Object.hasOwn(words, word)) return words[word]!
    try {
      return parseJson(word)
    } catch {
      return fail(`expected a value, found '${word}'`, start)
    }
  }

  function skipSpace(): void {
    match(/(?:\s|#[^\n]*|\/\/[^\n]*|\/\*.*?\*\/)*/suy)
  }

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }

  function fail(problem: string, offset = at): never {
    throw new JsonSyntaxError(problem, text, offset)
  }
}

const words: Record<string, PyValue> = { True: true, False: false, None: null, true: true, false: false, null: null }

/** What a JSON string must escape, as it may stand in a string written by hand. */
const controls: Record<string, string> = { '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const maxDepth = 500
